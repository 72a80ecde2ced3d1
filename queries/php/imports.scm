; namespace App\Time;
(namespace_definition name: (_) @package)
; use App\Time\Clock; use App\Time\{Wall, Mode as M}; use function App\help;
(namespace_use_clause !alias . [(name) (qualified_name)] @import.path) @import
(namespace_use_clause . [(name) (qualified_name)] @import.path alias: (name) @import.alias) @import

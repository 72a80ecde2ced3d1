; renew() { ... }; function renew { ... }
(function_definition name: (_) @name body: (_) @body) @definition.function

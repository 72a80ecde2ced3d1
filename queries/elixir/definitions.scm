; Everything is a call: defmodule Session.Store do ... end
((call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body) @definition.class
  (#eq? @_define "defmodule"))
((call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_define "defprotocol"))
; defimpl Session.Closer, for: Session.Store do ... end: a module of its own
((call target: (identifier) @_define (arguments . (alias) @base) @name (do_block) @body) @definition.class
  (#eq? @_define "defimpl"))

; @behaviour Session.Store
((call target: (identifier) @_define (do_block
  (unary_operator operator: "@" operand: (call target: (identifier) @_behaviour (arguments . (alias) @base .))))) @definition.class
  (#eq? @_define "defmodule") (#eq? @_behaviour "behaviour"))
; @callback save(term) :: :ok; @callback all(filter) :: [filter] when filter: term
((unary_operator operator: "@" operand: (call target: (identifier) @_callback (arguments . (binary_operator
  left: [
    (call target: (identifier) @name (arguments) @parameters)
    (identifier) @name
    (binary_operator left: [(call target: (identifier) @name (arguments) @parameters) (identifier) @name] operator: "::")
  ]
  operator: ["::" "when"])))) @definition.method
  (#any-of? @_callback "callback" "macrocallback"))

; def find(user, opts) when is_binary(user) do ... end; def find(user), do: user
((call
  target: (identifier) @_define
  (arguments
    . [(call target: (identifier) @name (arguments)? @parameters)
       (identifier) @name
       (binary_operator left: (call target: (identifier) @name (arguments)? @parameters) operator: "when")
       (binary_operator left: (identifier) @name operator: "when")]
    (keywords)? @body)
  (do_block)? @body) @definition.function
  (#any-of? @_define "def" "defp" "defguard" "defguardp" "defdelegate"))
((call
  target: (identifier) @_define
  (arguments
    . [(call target: (identifier) @name (arguments)? @parameters)
       (identifier) @name
       (binary_operator left: (call target: (identifier) @name (arguments)? @parameters) operator: "when")]
    (keywords)? @body)
  (do_block)? @body) @definition.macro
  (#any-of? @_define "defmacro" "defmacrop"))
; test "renews a session", %{session: session} do ... end
((call target: (identifier) @_define (arguments . (string (quoted_content) @name)) (do_block) @body) @definition.function @test
  (#any-of? @_define "test" "property"))
(anonymous_function) @definition.anonymous

((call
  target: (identifier) @_define
  (arguments . (call target: (identifier) (arguments (_) @parameter @name))))
  (#match? @_define "^def") (#not-kind-eq? @name "binary_operator"))
((call
  target: (identifier) @_define
  (arguments . (call target: (identifier) (arguments (binary_operator left: (_) @name operator: "\\\\" right: (_) @default) @parameter))))
  (#match? @_define "^def"))
((call
  target: (identifier) @_define
  (arguments . (call target: (identifier) (arguments (binary_operator operator: "=" right: (_) @name) @parameter))))
  (#match? @_define "^def"))
((call
  target: (identifier) @_define
  (arguments . (binary_operator left: (call target: (identifier) (arguments (_) @parameter @name)) operator: "when")))
  (#match? @_define "^def") (#not-kind-eq? @name "binary_operator"))
((call
  target: (identifier) @_define
  (arguments
    . (binary_operator
      left: (call target: (identifier) (arguments (binary_operator left: (_) @name operator: "\\\\" right: (_) @default) @parameter))
      operator: "when")))
  (#match? @_define "^def"))
((call
  target: (identifier) @_define
  (arguments
    . (binary_operator
      left: (call target: (identifier) (arguments (binary_operator operator: "=" right: (_) @name) @parameter))
      operator: "when")))
  (#match? @_define "^def"))
(anonymous_function (stab_clause left: (arguments (identifier) @parameter @name)))

; @doc "Finds a session."; @spec find(String.t()) :: t; @impl true
((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_name (arguments [(string (quoted_content) @attribute.doc) (sigil (quoted_content) @attribute.doc)]))) @attribute
  (#any-of? @_name "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_name (arguments))) @attribute
  (#any-of? @_name "doc" "spec" "impl" "deprecated" "type" "typep" "opaque" "dialyzer" "since"))

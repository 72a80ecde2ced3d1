; A component in the markup, or a function that is named without an argument list: `call_sign` replaces the sign before it.
(unary_expression operator: "~" argument: [(identifier) (member_expression)] @callee) @call

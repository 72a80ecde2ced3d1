(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(service (service_name (identifier) @name) "{" @body) @definition.interface
; A group is a field and a message.
(group (message_name (identifier) @name) (message_body) @body) @definition.struct

(rpc
  (rpc_name (identifier) @name)
  . (message_or_enum_type) @parameters
  . (message_or_enum_type) @returns
  "{"? @body) @definition.method

; The fields inside are members of the message.
(extend (full_ident) @name (message_body) @body) @definition.extension

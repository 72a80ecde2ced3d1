(field (type (message_or_enum_type) @type) (identifier) @target)
(oneof_field (type (message_or_enum_type) @type) (identifier) @target)
(map_field (type (message_or_enum_type) @type) (identifier) @target)

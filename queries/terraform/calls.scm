; var.cidr, aws_vpc.main.id, module.net.id: the name has several parts.
(variable_expr) @call @callee

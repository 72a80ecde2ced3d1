//! Which definitions a call may reach: functions and objects followed through names, members, arguments and returns.
//!
//! Andersen's inclusion-based analysis (1994), flow-insensitive, with objects told apart by their type only, after the
//! way PyCG (Salis et al., ICSE 2021) applies it to Python; here the rules are language data, so one engine serves all.
//!
//! Law:     a variable's set only grows, and holds at most [`MOST`] objects, so the work is bounded.
//! Price:   O(constraints x MOST); about 0.2 µs a value, 45 ms on 150,000 lines of Python.
//! Departs: from PyCG in that assignments of one variable are not ordered, a container is its elements, and a method of
//!          a type is assumed to be called on that type even if nobody calls it (libraries have no callers).

use super::names::{Entity, NONE, Names};
use super::sets::Sets;
use crate::lang::DefinitionKind;
use crate::parse::{Call, Symbol, Target, Value, symbol};
use std::collections::VecDeque;

/// How many objects one variable may hold. A call that may reach more says little about any of them.
const MOST: usize = 12;

/// Something that a variable may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    /// A function, type or file itself.
    Definition(u32),
    /// A method taken from an object: its receiver is given.
    Bound(u32),
    /// An object of a type.
    Instance(u32),
    Directory(u32),
    /// An object of a type, seen as its bases.
    Super(u32),
    Foreign,
}

/// What to do with each object that comes into a variable.
#[derive(Debug, Clone, Copy)]
enum Constraint {
    Copy {
        to: u32,
    },
    /// As `Copy`, but methods become bound to the receiver.
    Take {
        to: u32,
        receiver: Object,
    },
    Read {
        name: Symbol,
        to: u32,
    },
    Write {
        name: Symbol,
        from: u32,
    },
    Call {
        call: u32,
    },
}

pub(super) struct Flow<'a, 'n> {
    pub(super) names: &'n mut Names<'a>,
    first_value: u32,
    first_result: u32,
    first_return: u32,
    held: Sets<Object>,
    constraints: Sets<Constraint>,
    queue: VecDeque<(u32, Object)>,
    reached: Sets<u32>,
    words: Vec<LanguageWords>,
}

/// Names with a meaning in a file's language, as symbols.
#[derive(Clone, Default)]
struct LanguageWords {
    constructors: Vec<Symbol>,
    named_like_type: bool,
    instantiators: Vec<Symbol>,
    callables: Vec<Symbol>,
}

impl<'a, 'n> Flow<'a, 'n> {
    /// Reads all files' values as constraints and follows them to the end.
    pub fn solve(names: &'n mut Names<'a>) -> Self {
        let total = names.total();
        let (first_value, first_result) = (total.variable, total.variable + total.value);
        let first_return = first_result + total.call;
        let variables = (first_return + total.definition) as usize;
        let words = (0..names.sources.len()).map(|file| words(names, file)).collect();
        let mut flow = Self {
            names,
            first_value,
            first_result,
            first_return,
            held: Sets::new(variables),
            constraints: Sets::with_room(variables, total.value as usize * 2),
            queue: VecDeque::new(),
            reached: Sets::new(total.call as usize),
            words,
        };
        for file in 0..flow.names.sources.len() {
            flow.read_file(file);
        }
        flow.share_members();
        while let Some((variable, object)) = flow.queue.pop_front() {
            flow.arrive(variable, object);
        }
        flow
    }

    /// Whether anything is known of what is called.
    pub fn knows(&self, file: usize, value: u32) -> bool {
        !self.held.is_empty(self.variable_of(file, value) as usize)
    }

    fn variable_of(&self, file: usize, value: u32) -> u32 {
        let base = self.names.bases[file];
        match self.names.sources[file].facts.flow.values[value as usize] {
            Value::Variable(variable) => base.variable + variable,
            Value::Call(call) => self.first_result + base.call + call,
            _ => self.first_value + base.value + value,
        }
    }

    fn read_file(&mut self, file: usize) {
        let base = self.names.bases[file];
        let facts = self.names.sources[file].facts;
        for (value, form) in facts.flow.values.iter().enumerate() {
            self.read_value(file, value as u32, form);
        }
        for (variable, _) in facts.flow.variables.iter().enumerate() {
            let variable = base.variable + variable as u32;
            if self.names.imported[variable as usize] != NONE {
                match self.names.import(variable, 0) {
                    Some(entity) => self.hold_entity(variable, entity),
                    None => self.hold(variable, Object::Foreign),
                }
            }
        }
        for binding in &facts.flow.bindings {
            let from = self.variable_of(file, binding.value);
            match binding.target {
                Target::Variable(variable) => self.constrain(from, Constraint::Copy { to: base.variable + variable }),
                Target::Member(object, name) => {
                    let object = self.variable_of(file, object);
                    self.constrain(object, Constraint::Write { name, from });
                }
            }
        }
        for one in &facts.flow.returns {
            let from = self.variable_of(file, one.value);
            self.constrain(from, Constraint::Copy { to: self.first_return + base.definition + one.definition });
        }
        for (number, call) in facts.flow.calls.iter().enumerate() {
            let number = base.call + number as u32;
            let callee = self.variable_of(file, call.callee);
            self.constrain(callee, Constraint::Call { call: number });
        }
        for (local, definition) in facts.definitions.iter().enumerate() {
            let id = base.definition + local as u32;
            if let (Some(receiver), Some(of)) = (definition.receiver, self.names.type_around(id)) {
                let object = if definition.receives_type { Object::Definition(of) } else { Object::Instance(of) };
                self.hold(base.variable + receiver, object);
            }
        }
    }

    fn read_value(&mut self, file: usize, value: u32, form: &Value) {
        let base = self.names.bases[file];
        let own = self.first_value + base.value + value;
        match form {
            Value::Free { symbol, scope } => {
                if let Some(entity) = self.names.free(file, *scope, *symbol, 0) {
                    self.hold_entity(own, entity);
                }
            }
            Value::Access(object, name) => {
                let object = self.variable_of(file, *object);
                self.constrain(object, Constraint::Read { name: *name, to: own });
            }
            Value::Definition(id) => self.hold(own, Object::Definition(base.definition + id)),
            Value::Any(values) => {
                for &one in values {
                    let from = self.variable_of(file, one);
                    self.constrain(from, Constraint::Copy { to: own });
                }
            }
            Value::Instance(of) => {
                let mut types = Vec::new();
                self.names.types(file, *of, &mut types);
                types.into_iter().for_each(|id| self.hold(own, Object::Instance(id)));
            }
            Value::Super(scope) => {
                if let Some(id) = self.names.type_around(base.definition + scope) {
                    self.hold(own, Object::Super(id));
                }
            }
            Value::SelfType(scope) => {
                if let Some(id) = self.names.type_around(base.definition + scope) {
                    self.hold(own, Object::Definition(id));
                }
            }
            Value::Foreign => self.hold(own, Object::Foreign),
            Value::Variable(_) | Value::Call(_) | Value::Unknown => {}
        }
    }

    /// Members of one name that several extensions of a type define all count as the type's member.
    fn share_members(&mut self) {
        for file in 0..self.names.sources.len() {
            let base = self.names.bases[file];
            let facts = self.names.sources[file].facts;
            for (local, variable) in facts.flow.variables.iter().enumerate() {
                let scope = &facts.definitions[variable.scope as usize];
                if scope.kind != DefinitionKind::Extension && scope.owner.is_none() {
                    continue;
                }
                let owner = self.names.owner[(base.definition + variable.scope) as usize];
                let from = base.variable + local as u32;
                if let Some(&to) = self.names.members.get(&(owner, variable.symbol))
                    && to != from
                    && self.names.bound[from as usize] != NONE
                {
                    self.constrain(from, Constraint::Copy { to });
                }
            }
        }
    }

    fn hold_entity(&mut self, variable: u32, entity: Entity) {
        match entity {
            Entity::Variable(from) => self.constrain(from, Constraint::Copy { to: variable }),
            Entity::Definition(id) => self.hold(variable, Object::Definition(id)),
            Entity::Directory(directory) => self.hold(variable, Object::Directory(directory)),
            Entity::Foreign => self.hold(variable, Object::Foreign),
        }
    }

    fn hold(&mut self, variable: u32, object: Object) {
        let set = variable as usize;
        let (mut count, mut known) = (0, false);
        for held in self.held.iter(set) {
            count += 1;
            known |= held == object;
        }
        if count < MOST && !known {
            self.held.push(set, object);
            if !self.constraints.is_empty(set) {
                self.queue.push_back((variable, object));
            }
        }
    }

    fn constrain(&mut self, variable: u32, constraint: Constraint) {
        if let Constraint::Copy { to } = constraint
            && to == variable
        {
            return;
        }
        self.constraints.push(variable as usize, constraint);
        // What is already there arrives at the new constraint alone.
        let mut at = self.held.heads[variable as usize];
        while at != NONE {
            let (object, next) = self.held.items[at as usize];
            self.apply(constraint, object);
            at = next;
        }
    }

    fn arrive(&mut self, variable: u32, object: Object) {
        let mut at = self.constraints.heads[variable as usize];
        while at != NONE {
            let (constraint, next) = self.constraints.items[at as usize];
            self.apply(constraint, object);
            at = next;
        }
    }

    fn apply(&mut self, constraint: Constraint, object: Object) {
        match constraint {
            Constraint::Copy { to } => self.hold(to, object),
            Constraint::Take { to, receiver } => self.take(to, receiver, object),
            Constraint::Read { name, to } => self.read(object, name, to),
            Constraint::Write { name, from } => self.write(object, name, from),
            Constraint::Call { call } => self.call(call, object),
        }
    }

    /// A member comes out of `receiver`: a method is bound to it.
    fn take(&mut self, to: u32, receiver: Object, object: Object) {
        let Object::Definition(id) = object else { return self.hold(to, object) };
        let definition = self.names.definition(id);
        let Some(own) = definition.receiver else { return self.hold(to, object) };
        let file = self.names.file_of_definition[id as usize] as usize;
        let own = self.names.bases[file].variable + own;
        let given = match receiver {
            Object::Instance(of) | Object::Super(of) if definition.receives_type => Object::Definition(of),
            Object::Super(of) => Object::Instance(of),
            Object::Definition(_) if !definition.receives_type => return self.hold(to, object),
            other => other,
        };
        self.hold(own, given);
        self.hold(to, Object::Bound(id));
    }

    fn read(&mut self, object: Object, name: Symbol, to: u32) {
        match object {
            Object::Instance(of) => {
                let from = self.names.member_of_type(of, name).unwrap_or_else(|| self.new_member(of, name));
                self.constrain(from, Constraint::Take { to, receiver: object });
            }
            Object::Definition(id) if self.names.definition(id).kind.has_members() => {
                let file = self.names.file_of_definition[id as usize] as usize;
                if let Some(from) = self.names.member_of_type(id, name) {
                    self.constrain(from, Constraint::Take { to, receiver: object });
                } else if self.words[file].instantiators.contains(&name) {
                    self.hold(to, object);
                }
            }
            Object::Definition(id) => {
                if let Some(entity) = self.names.member(Entity::Definition(id), name, 0) {
                    self.hold_entity(to, entity);
                } else if self.names.definition(id).kind == DefinitionKind::Module {
                    // What a file gives back (`module.exports = ...`) is what an import of it means.
                    self.constrain(self.first_return + id, Constraint::Read { name, to });
                }
            }
            Object::Directory(directory) => {
                if let Some(entity) = self.names.member(Entity::Directory(directory), name, 0) {
                    self.hold_entity(to, entity);
                }
            }
            Object::Super(of) => {
                let bases = self.names.order(of);
                if let Some(&from) = bases[1..].iter().find_map(|&base| self.names.members.get(&(base, name))) {
                    self.constrain(from, Constraint::Take { to, receiver: object });
                }
            }
            Object::Foreign => self.hold(to, Object::Foreign),
            Object::Bound(_) => {}
        }
    }

    fn write(&mut self, object: Object, name: Symbol, from: u32) {
        let to = match object {
            Object::Instance(of) => self.names.member_of_type(of, name).unwrap_or_else(|| self.new_member(of, name)),
            Object::Definition(id)
                if self.names.definition(id).kind.has_members()
                    || self.names.definition(id).kind == DefinitionKind::Module =>
            {
                match self.names.member_of_type(id, name) {
                    Some(known) => known,
                    None => self.new_member(id, name),
                }
            }
            _ => return,
        };
        self.constrain(from, Constraint::Copy { to });
    }

    /// A member that no declaration names: made by an assignment, or only read so far.
    fn new_member(&mut self, of: u32, name: Symbol) -> u32 {
        let id = self.held.heads.len() as u32;
        self.held.heads.push(NONE);
        self.constraints.heads.push(NONE);
        // The tables of variables grow along; the numbers between are values and results, which are never members.
        self.names.bound.resize(id as usize + 1, NONE);
        self.names.imported.resize(id as usize + 1, NONE);
        self.names.members.insert((of, name), id);
        id
    }

    fn call(&mut self, call: u32, object: Object) {
        match object {
            Object::Definition(id) => {
                let kind = self.names.definition(id).kind;
                if kind.has_members() {
                    self.construct(call, id, Object::Instance(id), Object::Instance(id));
                } else if kind == DefinitionKind::Module {
                    let callee = self.callee_of(call);
                    self.constrain(self.first_return + id, Constraint::Copy { to: callee });
                } else {
                    self.pass(call, id, false);
                }
            }
            Object::Bound(id) => self.pass(call, id, true),
            Object::Super(id) => {
                // `super(...)` calls the constructor of a base.
                let bases = self.names.order(id);
                if let Some(&base) = bases.get(1) {
                    self.construct(call, base, Object::Instance(id), Object::Instance(id));
                }
            }
            Object::Instance(id) => {
                let file = self.names.file_of_definition[id as usize] as usize;
                let callee = self.callee_of(call);
                let member = self.words[file].callables.iter().find_map(|&name| self.names.member_of_type(id, name));
                if let Some(from) = member {
                    self.constrain(from, Constraint::Take { to: callee, receiver: object });
                }
            }
            Object::Foreign => self.hold(self.result_of(call), Object::Foreign),
            Object::Directory(_) => {}
        }
    }

    /// A type is called: its constructor runs on a new object. A type without one is itself what the call reaches.
    fn construct(&mut self, call: u32, id: u32, receiver: Object, result: Object) {
        let (to, callee) = (self.result_of(call), self.callee_of(call));
        self.hold(to, result);
        for of in self.names.order(id) {
            let file = self.names.file_of_definition[of as usize] as usize;
            let words = &self.words[file];
            let own = words.named_like_type.then(|| symbol(&self.names.definition(of).name));
            let found = words
                .constructors
                .iter()
                .copied()
                .chain(own)
                .find_map(|name| self.names.members.get(&(of, name)).copied());
            if let Some(from) = found {
                return self.constrain(from, Constraint::Take { to: callee, receiver });
            }
        }
        self.reach(call, id);
    }

    /// A function is called: arguments go to parameters, returns to the result.
    fn pass(&mut self, call: u32, id: u32, bound: bool) {
        if !self.reach(call, id) {
            return;
        }
        let definition = self.names.definition(id);
        let file = self.names.file_of_definition[id as usize] as usize;
        let base = self.names.bases[file].variable;
        let result = self.result_of(call);
        self.constrain(self.first_return + id, Constraint::Copy { to: result });
        let mut places = Vec::with_capacity(definition.parameters.len() + 1);
        if !bound && definition.receiver_is_parameter {
            places.extend(definition.receiver);
        }
        places.extend(definition.parameters.iter().map(|p| p.variable));
        let mut position = 0;
        let (site_file, site) = self.site(call);
        for &(name, value) in &site.arguments {
            let to = match name {
                Some(name) => definition.parameters.iter().find(|p| p.symbol == name).map(|p| p.variable),
                None => {
                    position += 1;
                    places.get(position - 1).copied()
                }
            };
            if let Some(to) = to {
                let from = self.variable_of(site_file, value);
                self.constrain(from, Constraint::Copy { to: base + to });
            }
        }
    }

    fn result_of(&self, call: u32) -> u32 {
        self.first_result + call
    }

    fn callee_of(&self, call: u32) -> u32 {
        let (file, site) = self.site(call);
        self.variable_of(file, site.callee)
    }

    /// The file and the facts of a call.
    fn site(&self, call: u32) -> (usize, &'a Call) {
        let file = self.names.bases.partition_point(|base| base.call <= call) - 1;
        (file, &self.names.sources[file].facts.flow.calls[(call - self.names.bases[file].call) as usize])
    }

    /// The definitions that a call reaches, in order.
    pub fn reached(&self, call: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.reached.iter(call as usize).collect();
        all.sort_unstable();
        all
    }

    /// Notes that a call reaches a definition; false if that was known.
    fn reach(&mut self, call: u32, id: u32) -> bool {
        let new = !self.reached.iter(call as usize).any(|known| known == id);
        if new {
            self.reached.push(call as usize, id);
        }
        new
    }

    pub fn names(&self) -> &Names<'a> {
        self.names
    }
}

fn words(names: &Names<'_>, file: usize) -> LanguageWords {
    let Some(scopes) = names.scopes(file) else { return LanguageWords::default() };
    let symbols = |list: &[String]| list.iter().filter(|name| *name != "{type}").map(|name| symbol(name)).collect();
    LanguageWords {
        constructors: symbols(&scopes.constructors),
        named_like_type: scopes.constructors.iter().any(|name| name == "{type}"),
        instantiators: symbols(&scopes.instantiators),
        callables: symbols(&scopes.callables),
    }
}

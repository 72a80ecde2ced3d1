//! Tests routes and commands: questions that name them, callers that end at them, and what a change
//! affects.

use crate::support::env::Env;
use serde_json::Value;

const SHOP: &str = "from flask import Flask, Blueprint

app = Flask(__name__)
users = Blueprint('users', __name__, url_prefix='/members')


@users.route('/<int:id>', methods=['GET', 'DELETE'])
def show_user(id):
    return load(id)


@users.post('/')
def create_user():
    return load(0)


def load(id):
    return id


def about():
    return 'about'


app.register_blueprint(users, url_prefix='/api/users')
app.add_url_rule('/about', view_func=about)
";

/// Returns the routes and commands of a repository in the order of their files and positions.
fn entries(env: &Env) -> Vec<String> {
    let json = env.run(&["--kind", "entry", "--json"]).found().json();
    names(&json["results"])
}

fn names(results: &Value) -> Vec<String> {
    let all = results.as_array().expect("a list");
    all.iter().map(|one| one["qualified_name"].as_str().expect("a name").to_owned()).collect()
}

/// Returns the first answer to a question.
fn first(env: &Env, question: &str) -> String {
    let json = env.run(&["ask", question, "--json"]).found().json();
    names(&json["results"]).remove(0)
}

#[test]
fn a_route_is_answered_with_its_handler() {
    let shop = Env::with(&[("shop.py", SHOP)]);
    for question in ["GET /api/users/{id}", "GET /api/users/42", "GET /users/:id", "DELETE /api/users/<int:id>"] {
        assert_eq!(first(&shop, question), "show_user", "{question}");
    }
    assert_eq!(first(&shop, "POST /api/users"), "create_user");
    assert_eq!(first(&shop, "/about"), "about");
    assert_eq!(shop.run(&["ask", "GET /about", "--json"]).found().json()["asked_as"], "entry");
}

#[test]
fn callers_end_at_routes_and_a_change_affects_them() {
    let shop = Env::with(&[("shop.py", SHOP)]);
    let callers = shop.run(&["callers", "load", "--depth", "3"]).found().without_stderr();
    insta::assert_snapshot!(callers.out, @r"
    shop.py:17  load  function · called by 2
    ├─ shop.py:9:12  show_user  (in scope)  return load(id)
    │  ├─ shop.py:7:2  GET /api/users/{id}  (passed on)  @users.route('/<int:id>', methods=['GET', 'DELETE'])
    │  └─ shop.py:7:2  DELETE /api/users/{id}  (passed on)  @users.route('/<int:id>', methods=['GET', 'DELETE'])
    └─ shop.py:14:12  create_user  (in scope)  return load(0)
       └─ shop.py:12:2  POST /api/users/  (passed on)  @users.post('/')
    ");
    let impact = shop.run(&["impact", "load", "--json"]).json();
    assert_eq!(
        impact["entry_points"].as_array().expect("a list").iter().map(|one| &one["name"]).collect::<Vec<_>>(),
        ["GET /api/users/{id}", "DELETE /api/users/{id}", "POST /api/users/"]
    );
}

#[test]
fn entries_are_not_ranked_among_functions() {
    let shop = Env::with(&[("shop.py", SHOP)]);
    for kind in ["function", "type", "any"] {
        let json = shop.run(&["ask", "users", "--kind", kind, "--json"]).json();
        let all = json["results"].as_array().expect("a list");
        assert!(all.iter().all(|one| one["kind"] != "entry" && one["kind"] != "mount"), "{kind}: {all:?}");
    }
    let json = shop.run(&["ask", "create a user", "--kind", "entry", "--json"]).found().json();
    assert_eq!(names(&json["results"])[0], "POST /api/users/");
}

#[test]
fn a_prefix_in_another_file_is_joined() {
    let shop = Env::with(&[
        (
            "main.py",
            "from fastapi import FastAPI\nfrom api import items\n\napp = FastAPI()\napp.include_router(items.router, prefix='/v1')\n",
        ),
        (
            "api/items.py",
            "from fastapi import APIRouter\n\nrouter = APIRouter(prefix='/items')\n\n\n@router.get('/{id}')\ndef show(id):\n    return id\n",
        ),
        (
            "shop/urls.py",
            "from django.urls import include, path\n\nurlpatterns = [path('blog/', include('blog.urls'))]\n",
        ),
        (
            "blog/urls.py",
            "from django.urls import path\nfrom . import views\n\nurlpatterns = [path('<slug:name>/', views.post)]\n",
        ),
        ("blog/views.py", "def post(request, name):\n    return name\n"),
    ]);
    assert_eq!(entries(&shop), ["GET /v1/items/{id}", "ANY /blog/{name}/"]);
    assert_eq!(first(&shop, "GET /v1/items/7"), "show");
    assert_eq!(first(&shop, "/blog/hello/"), "post");
    // After an edit of one file, the names in the others change.
    shop.write(
        "shop/urls.py",
        "from django.urls import include, path\n\nurlpatterns = [path('news/', include('blog.urls'))]\n",
    );
    assert_eq!(entries(&shop), ["GET /v1/items/{id}", "ANY /news/{name}/"]);
}

#[test]
fn a_call_in_a_function_without_a_name_belongs_to_its_route() {
    let shop = Env::with(&[(
        "shop.js",
        "const express = require('express');
const users = express.Router();
const app = express();

users.get('/:id', authenticate, (req, res) => { res.send(load(req.params.id)); });
users.route('/').get(list).post(authenticate, create);
app.use('/users', users);
app.get('title');

function authenticate(req, res, next) {}
function list(req, res) {}
function create(req, res) {}
function load(id) {}
",
    )]);
    assert_eq!(entries(&shop), ["GET /users/{id}", "POST /users/", "GET /users/"]);
    assert_eq!(first(&shop, "GET /users/7"), "GET /users/{id}");
    assert_eq!(first(&shop, "POST /users"), "create");
    let callers = shop.run(&["callers", "load", "--json"]).found().json();
    assert_eq!(callers["tree"][0]["name"], "GET /users/{id}");
}

#[test]
fn a_file_that_does_not_import_a_framework_has_no_routes() {
    let shop = Env::with(&[(
        "cache.js",
        "function read(cache) { return cache.get('/users', () => load()); }\nfunction load() {}\n",
    )]);
    shop.run(&["--kind", "entry"]).nothing();
}

#[test]
fn commands_and_flags_have_the_names_that_users_type() {
    let tools = Env::with(&[
        (
            "tool.py",
            "import click


@click.group()
def cli():
    pass


@cli.command()
@click.option('--port', '-p')
def serve(port):
    pass


@cli.group()
def db():
    pass


@db.command('init')
def init_db():
    pass
",
        ),
        (
            "old.py",
            "import argparse


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    stop = commands.add_parser('stop')
    stop.add_argument('--force')
    stop.set_defaults(func=stop_server)


def stop_server(arguments):
    pass
",
        ),
        (
            "main.go",
            "package main

import \"github.com/spf13/cobra\"

var root = &cobra.Command{Use: \"tool\"}

func userCommand() *cobra.Command {
	command := &cobra.Command{Use: \"user NAME\", RunE: addUser}
	command.Flags().StringP(\"mail\", \"m\", \"\", \"address\")
	return command
}

func addUser(command *cobra.Command, names []string) error { return nil }

func init() { root.AddCommand(userCommand()) }
",
        ),
        (
            "main.rs",
            "use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Arguments {
    #[arg(long)]
    dry_run: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    AddUser {
        #[arg(long = \"mail\")]
        address: String,
    },
}
",
        ),
    ]);
    insta::assert_snapshot!(entries(&tools).join("\n"), @r"
    tool
    user
    user --mail
    --dry-run
    add-user
    add-user --mail
    stop
    stop --force
    cli
    serve
    serve --port
    db
    db init
    ");
    assert_eq!(first(&tools, "serve --port"), "serve");
    assert_eq!(first(&tools, "db init"), "init_db");
    assert_eq!(first(&tools, "stop --force"), "stop_server");
}

#[test]
fn annotations_resources_and_files_are_routes() {
    let shops = Env::with(&[
        (
            "Users.java",
            "import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping(\"/users\")
class Users {
    @GetMapping(\"/{id}\")
    String show(@PathVariable(\"id\") int id) { return \"\"; }

    @RequestMapping(value = \"/all\", method = RequestMethod.DELETE)
    void clear() {}
}
",
        ),
        (
            "Users.cs",
            "using Microsoft.AspNetCore.Mvc;

[Route(\"api/[controller]\")]
public class UsersController : ControllerBase
{
    [HttpGet(\"{id:int}\")]
    public string Show(int id) { return \"\"; }
}
",
        ),
        (
            "config/routes.rb",
            "Rails.application.routes.draw do
  namespace :admin do
    resources :users, only: [:index] do
      member do
        post :activate
      end
    end
  end
end
",
        ),
        (
            "app/controllers/admin/users_controller.rb",
            "module Admin
  class UsersController
    def index; end
    def activate; end
  end
end
",
        ),
        (
            "routes/api.php",
            "<?php
use Illuminate\\Support\\Facades\\Route;
use App\\UserController;

Route::prefix('admin')->group(function () {
    Route::get('/users/{id}', [UserController::class, 'show']);
});
",
        ),
        (
            "app/UserController.php",
            "<?php\nnamespace App;\nclass UserController {\n    public function show($id) {}\n}\n",
        ),
        ("web/app/api/users/[id]/route.ts", "export async function GET(request: Request) { return null; }\n"),
        (
            "server.rs",
            "use axum::{Router, routing::{get, post}};

pub fn app() -> Router {
    Router::new().route(\"/users/{id}\", get(show_user)).nest(\"/api\", api())
}

fn api() -> Router {
    Router::new().route(\"/items\", post(create_item))
}

async fn show_user() {}
async fn create_item() {}
",
        ),
        (
            "server.go",
            "package main

import \"github.com/gin-gonic/gin\"

func main() {
	v1 := gin.Default().Group(\"/v1\")
	registerUsers(v1.Group(\"/users\"))
}

func registerUsers(users *gin.RouterGroup) {
	users.GET(\"/:id\", showUser)
}

func showUser(c *gin.Context) {}
",
        ),
    ]);
    insta::assert_snapshot!(entries(&shops).join("\n"), @r"
    GET /api/Users/{id}
    GET /users/{id}
    DELETE /users/all
    GET /admin/users
    POST /admin/users/{id}/activate
    GET /api/admin/users/{id}
    GET /v1/users/{id}
    GET /users/{id}
    POST /api/items
    GET /api/users/{id}
    ");
    for (question, handler) in [
        ("GET /users/{id}", "Users.show"),
        ("DELETE /users/all", "Users.clear"),
        ("GET /api/Users/1", "UsersController.Show"),
        ("GET /admin/users", "Admin::UsersController::index"),
        ("POST /admin/users/1/activate", "Admin::UsersController::activate"),
        ("GET /api/admin/users/1", "UserController::show"),
        ("POST /api/items", "create_item"),
        ("GET /v1/users/1", "showUser"),
    ] {
        assert_eq!(first(&shops, question), handler, "{question}");
    }
}

#[test]
fn words_that_are_also_a_method_or_a_command_describe_a_function() {
    let program = "import click\nfrom flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get('/config')\ndef show():\n    return 1\n\n\n\
                   @click.command()\ndef token():\n    return 2\n\n\ndef get_config():\n    return 3\n\n\ndef validate_token(text):\n    return 4\n";
    let env = Env::with(&[("app.py", program)]);
    assert_eq!(first(&env, "get config"), "get_config");
    assert_eq!(first(&env, "validate token"), "validate_token");
    assert_eq!(first(&env, "get /config"), "show");
}

/// Returns the probability that the first answer is right.
fn right(env: &Env, question: &str) -> f64 {
    let json = env.run(&["ask", question, "--json"]).json();
    json["answer"]["confidence"].as_f64().unwrap_or(0.0)
}

/// Flask: the prefix of the registration applies instead of the blueprint's own.
#[test]
fn a_registration_replaces_the_prefix_of_a_blueprint() {
    let shop = Env::with(&[
        (
            "shop.py",
            "from flask import Flask, Blueprint
from users import users
from items import items

app = Flask(__name__)
parent = Blueprint('parent', __name__, url_prefix='/parent')
child = Blueprint('child', __name__, url_prefix='/child')


@child.get('/x')
def show_child():
    return 1


parent.register_blueprint(child, url_prefix='/kid')
app.register_blueprint(parent, url_prefix='/top')
app.register_blueprint(users, url_prefix='/v1/users')
app.register_blueprint(items)
",
        ),
        (
            "users.py",
            "from flask import Blueprint\n\nusers = Blueprint('users', __name__, url_prefix='/users')\n\n\n\
             @users.get('/<id>')\ndef show(id):\n    return id\n",
        ),
        (
            "items.py",
            "from flask import Blueprint\n\nitems = Blueprint('items', __name__, url_prefix='/items')\n\n\n\
             @items.get('/')\ndef list_items():\n    return 1\n",
        ),
    ]);
    assert_eq!(entries(&shop), ["GET /items/", "GET /top/kid/x", "GET /v1/users/{id}"]);
}

#[test]
fn a_list_of_routes_that_is_included_several_times_has_a_route_for_each() {
    let site = Env::with(&[
        (
            "site/urls.py",
            "from django.urls import include, path

api = [path('checks/', include('checks.urls'))]
urlpatterns = [path('v1/', include(api)), path('v2/', include(api)), path('v3/', include(api))]
",
        ),
        (
            "checks/urls.py",
            "from django.urls import path\nfrom . import views\n\nurlpatterns = [path('<int:id>/', views.check)]\n",
        ),
        ("checks/views.py", "def check(request, id):\n    return load(id)\n\n\ndef load(id):\n    return id\n"),
    ]);
    assert_eq!(entries(&site), ["ANY /v1/checks/{id}/", "ANY /v2/checks/{id}/", "ANY /v3/checks/{id}/"]);
    for path in ["/v1/checks/7/", "/v3/checks/7/"] {
        assert_eq!(first(&site, path), "check");
        assert!(right(&site, path) > 0.9, "{path}");
    }
    let callers = site.run(&["callers", "check", "--json"]).found().json();
    assert_eq!(callers["tree"][0]["name"], "ANY /v1/checks/{id}/, ANY /v2/checks/{id}/, ANY /v3/checks/{id}/");
}

#[test]
fn only_a_complete_path_is_sure() {
    let shop = Env::with(&[("shop.py", SHOP)]);
    for question in ["GET /api/users/7", "https://shop.example/api/users/7?page=2#top", "GET http://localhost:80/about"]
    {
        assert!(right(&shop, question) > 0.9, "{question}");
    }
    assert_eq!(first(&shop, "https://shop.example/api/users/7"), "show_user");
    for question in ["GET /users/7", "/v2/api/users/7"] {
        let right = right(&shop, question);
        assert!(right > 0.4 && right < 0.85, "{question}: {right}");
    }
    for path in ["/etc/about", "/home/me/about", "/usr/bin/python3"] {
        assert_ne!(shop.run(&["ask", path, "--json"]).json()["asked_as"], "entry", "{path}");
    }
}

#[test]
fn a_decorator_on_a_field_does_not_apply_to_the_next_function() {
    let shop = Env::with(&[(
        "users.ts",
        "import { Controller, Get } from '@nestjs/common';

@Controller('users')
export class Users {
  @Get('wrong') items: string[] = [];

  list() { return this.items; }

  @Get(':id')
  show(id: string) { return id; }
}
",
    )]);
    assert_eq!(entries(&shop), ["GET /users/{id}"]);
}

const TOOL: &str = "import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--dry-run')
    commands = parser.add_subparsers()
    start = commands.add_parser('start')
    start.add_argument('--port')
    start.set_defaults(func=start_server)
    stop = commands.add_parser('stop')
    stop.add_argument('--force')
    stop.set_defaults(func=stop_server)
    args = parser.parse_args()
    args.func(args)


def start_server(args):
    listen(args)


def stop_server(args):
    pass


def listen(options):
    return options.port


def write(args):
    if not args.dry_run:
        return 1
";

#[test]
fn a_flag_leads_to_the_code_that_reads_it() {
    let tool = Env::with(&[("tool.py", TOOL)]);
    let answers = |question: &str| names(&tool.run(&["ask", question, "--json"]).found().json()["results"]);
    assert_eq!(answers("start --port"), ["listen", "start_server", "start --port"]);
    assert_eq!(answers("stop --force"), ["stop_server", "stop --force"]);
    assert_eq!(answers("tool --dry-run")[0], "write");
    assert!(right(&tool, "stop --force") > 0.9);
    // The flag of another command is no flag of this one.
    assert_ne!(tool.run(&["ask", "stop --port", "--json"]).json()["asked_as"], "entry");
    // A flag of the program may also apply to its commands.
    assert_eq!(answers("stop --dry-run")[0], "write");
    assert!(right(&tool, "stop --dry-run") < 0.85);
}

#[test]
fn flags_of_ruby_have_one_name_and_lead_to_their_reader() {
    let text = "require \"optparse\"\n\ndef options\n  options = {}\n  OptionParser.new do |opts|\n    \
                opts.on(\"-p\", \"--port PORT\", Integer) { |v| options[:port] = v }\n    \
                opts.on(\"--[no-]color\") { |v| options[:color] = v }\n  end.parse!\n  options\nend\n\n\
                def serve(options)\n  listen(options[:port])\nend\n";
    let tool = Env::with(&[("tool.rb", text)]);
    assert_eq!(entries(&tool), ["--port", "--color"]);
    let port = tool.run(&["ask", "--json", "--", "--port"]).found().json();
    assert_eq!(names(&port["results"])[0], "serve", "the assignment is no use");
}

#[test]
fn an_environment_variable_leads_to_the_function_that_reads_it() {
    let tools = Env::with(&[
        (
            "settings.py",
            "import os\n\n\ndef database():\n    # os.environ['COMMENT']\n    return os.environ['DATABASE_URL']\n\n\n\
             def port():\n    \"\"\"Reads os.environ['DOCUMENTED'].\"\"\"\n    return os.environ.get('PORT') or os.getenv('PORT')\n\n\n\
             DEBUG = os.getenv('APP_DEBUG')\n",
        ),
        ("a.js", "function secret() { return process.env.APP_SECRET; }\n"),
        ("b.rs", "fn level() -> String { std::env::var(\"APP_LEVEL\").unwrap_or_default() }\n"),
        ("c.go", "package main\n\nimport \"os\"\n\nfunc home() string { return os.Getenv(\"APP_HOME\") }\n"),
        ("D.java", "class D {\n    String user() { return System.getenv(\"APP_USER\"); }\n}\n"),
        ("e.rb", "def region\n  ENV[\"APP_REGION\"] || ENV.fetch(\"APP_ZONE\")\nend\n"),
        ("f.c", "#include <stdlib.h>\nchar *shell(void) { return getenv(\"APP_SHELL\"); }\n"),
    ]);
    assert_eq!(
        entries(&tools),
        [
            "ENV APP_USER",
            "ENV APP_SECRET",
            "ENV APP_LEVEL",
            "ENV APP_HOME",
            "ENV APP_REGION",
            "ENV APP_ZONE",
            "ENV APP_SHELL",
            "ENV DATABASE_URL",
            "ENV PORT",
            "ENV APP_DEBUG"
        ]
    );
    for (name, function) in [
        ("DATABASE_URL", "database"),
        ("PORT", "port"),
        ("APP_SECRET", "secret"),
        ("APP_LEVEL", "level"),
        ("APP_HOME", "home"),
        ("APP_USER", "D.user"),
        ("APP_ZONE", "region"),
        ("APP_SHELL", "shell"),
        ("APP_DEBUG", "ENV APP_DEBUG"),
        ("ENV PORT", "port"),
    ] {
        assert_eq!(first(&tools, name), function, "{name}");
    }
    // Reading a variable is no call.
    tools.run(&["callers", "database"]).nothing();
    assert_eq!(first(&tools, "read the port"), "port");
}

#[test]
fn a_variable_that_no_known_call_reads_leads_to_the_places_with_its_name() {
    let shop = Env::with(&[
        (
            "shop.py",
            "def connect(pool):\n    return settings.fetch('SHOP_DB', pool)\n\n\ndef env(name):\n    return name\n",
        ),
        ("compose.yml", "web:\n  environment:\n    SHOP_DB: postgres\n    SHOP_CACHE: redis\n"),
    ]);
    assert_eq!(first(&shop, "ENV SHOP_DB"), "connect");
    let text = shop.run(&["ask", "ENV SHOP_DB"]).found();
    assert!(text.out.contains("no entry has this name; these are the results for SHOP_DB"), "{text:#?}");
    assert!(text.out.contains("compose.yml"), "{text:#?}");
    let only_set = shop.run(&["ask", "ENV SHOP_CACHE", "--json"]).found().json();
    assert_eq!(only_set["query"], "ENV SHOP_CACHE");
    assert_eq!(only_set["other"]["results"][0]["path"], "compose.yml");
    let unknown = shop.run(&["ask", "ENV NOWHERE", "--json"]).json();
    assert_eq!(names(&unknown["results"]), Vec::<String>::new(), "no function that has only the word `env`");
}

#[test]
fn events_tasks_and_tables_are_entries() {
    let tools = Env::with(&[
        (
            "tasks.py",
            "from celery import shared_task\nimport sqlite3\n\n\n@shared_task\ndef send_mail(to):\n    return to\n\n\n\
             def load(db):\n    return db.execute('SELECT * FROM users JOIN shop.orders ON 1')\n\n\n\
             def say(db):\n    return db.execute('from users')\n",
        ),
        ("migrations/first.py", "import sqlite3\n\nsqlite3.connect('x').execute('DELETE FROM users')\n"),
        ("schema.sql", "CREATE TABLE users (id int);\nCREATE TABLE products (id int);\n"),
        (
            "bus.js",
            "const EventEmitter = require('events');\nconst bus = new EventEmitter();\n\n\
             function saved(order) {}\n\nfunction connect() {\n  bus.on('order.saved', saved);\n  \
             bus.on('order.lost', () => { saved(1); });\n}\n",
        ),
    ]);
    assert_eq!(
        entries(&tools),
        ["EVENT order.saved", "EVENT order.lost", "TABLE users", "TASK send_mail", "TABLE users", "TABLE orders"]
    );
    assert_eq!(first(&tools, "TASK send_mail"), "send_mail");
    assert_eq!(first(&tools, "TABLE orders"), "load");
    assert_eq!(first(&tools, "order.saved"), "saved");
    assert_eq!(first(&tools, "TABLE products"), "products", "no query mentions it");
    let users = tools.run(&["ask", "TABLE users", "--json"]).found().json();
    assert_eq!(
        names(&users["results"]),
        ["load", "users", "TABLE users"],
        "the function, the definition, then the migration"
    );
    // A call in a function without a name belongs to the function around it.
    assert_eq!(first(&tools, "order.lost"), "connect");
    let callers = tools.run(&["callers", "saved", "--json"]).found().json();
    let callers: Vec<&str> =
        callers["tree"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(callers.contains(&"EVENT order.saved") && callers.contains(&"connect"), "{callers:?}");
    // A plain word is a name in the code.
    assert_ne!(tools.run(&["ask", "users", "--json"]).json()["asked_as"], "entry");
}

#[test]
fn a_mounted_application_gets_the_prefix_of_its_mount() {
    let site = Env::with(&[
        (
            "main.py",
            "from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from items import router

app = FastAPI()
api = FastAPI()
admin = FastAPI()


@app.get('/health')
def health():
    return 1


@admin.get('/stats')
def stats():
    return 1


api.include_router(router)
app.mount('/api/v1', app=api)
app.mount('/admin', admin)
app.mount('/static', StaticFiles(directory='static'))
",
        ),
        (
            "items.py",
            "from fastapi import APIRouter\n\nrouter = APIRouter(prefix='/items')\n\n\n\
             @router.get('/{id}')\ndef show(id):\n    return id\n",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /api/v1/items/{id}", "GET /health", "GET /admin/stats"]);
    assert_eq!(first(&site, "GET /api/v1/items/7"), "show");
    assert!(right(&site, "GET /api/v1/items/7") > 0.9);
}

#[test]
fn a_route_that_is_chained_on_a_scope_keeps_its_prefix() {
    let site = Env::with(&[(
        "lib.rs",
        "use actix_web::web::{self, get, post, resource, scope};

pub fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(
        scope(\"/api\")
            .wrap(limit())
            .route(\"/log\", get().to(log))
            .service(scope(\"/site\").route(\"\", get().to(site)).route(\"/icon\", post().to(icon)))
            .service(scope(\"/user\").route(\"/icon\", post().to(user_icon)))
            .service(resource(\"/search\").route(get().to(search))),
    );
    cfg.route(\".well-known/finger\", web::get().to(finger));
}

async fn log() {}
async fn site() {}
async fn icon() {}
async fn user_icon() {}
async fn search() {}
async fn finger() {}
",
    )]);
    let mut all = entries(&site);
    all.sort();
    assert_eq!(
        all,
        [
            "GET /.well-known/finger",
            "GET /api/log",
            "GET /api/search",
            "GET /api/site",
            "POST /api/site/icon",
            "POST /api/user/icon"
        ]
    );
    assert_eq!(first(&site, "POST /api/user/icon"), "user_icon");
}

#[test]
fn a_router_has_routes_for_its_lists_objects_and_actions() {
    let site = Env::with(&[
        (
            "site/urls.py",
            "from django.urls import include, path
from rest_framework import routers
from users.views import UserViewSet

router = routers.DefaultRouter()
router.register(r'users', UserViewSet, basename='user')
urlpatterns = [path('api/v2/', include(router.urls))]
",
        ),
        (
            "users/views.py",
            "from rest_framework import viewsets
from rest_framework.decorators import action


class UserViewSet(viewsets.ModelViewSet):
    @action(detail=True, methods=['post'], url_path='close-account')
    def close(self, request, pk):
        return pk

    @action(detail=False)
    def recent(self, request):
        return 1
",
        ),
    ]);
    assert_eq!(
        entries(&site),
        [
            "ANY /api/v2/users/",
            "ANY /api/v2/users/{pk}/",
            "POST /api/v2/users/{pk}/close-account/",
            "GET /api/v2/users/recent/"
        ]
    );
    assert_eq!(first(&site, "GET /api/v2/users/7/"), "UserViewSet");
    assert_eq!(first(&site, "POST /api/v2/users/7/close-account/"), "UserViewSet.close");
    assert_eq!(first(&site, "GET /api/v2/users/recent/"), "UserViewSet.recent");
}

#[test]
fn a_page_is_a_route_and_a_component_is_none() {
    let page = "import Link from 'next/link';\n\nexport default function Page() {\n  return null;\n}\n";
    let plain = "export default function Page() {\n  return null;\n}\n";
    let site = Env::with(&[
        ("pages/rooms/index.tsx", plain),
        ("pages/_app.tsx", page),
        ("pages/404.tsx", page),
        ("pages/api/send.ts", "export default function send(req, res) {}\n"),
        ("apps/web/pages/users/[userId].tsx", plain),
        ("apps/web/pages/about.jsx", page),
        ("apps/web/pages/parts/Header.tsx", page),
        // A folder of another program.
        ("apps/admin/pages/home.tsx", plain),
    ]);
    assert_eq!(entries(&site), ["GET /about", "GET /users/{userId}", "ANY /api/send", "GET /rooms"]);
    assert_eq!(first(&site, "GET /rooms"), "Page");
}

#[test]
fn a_computed_path_is_no_route_of_parameters() {
    let site = Env::with(&[
        (
            "shop.py",
            "from flask import Flask

app = Flask(__name__)
BASE = '/shop'


def show():
    return 1


for kind in kinds():
    app.add_url_rule('/{}/<sort>'.format(kind), view_func=show)
    app.add_url_rule('/%s/list' % kind, view_func=show)
    app.add_url_rule(f'/{kind}/all', view_func=show)
app.add_url_rule(f'{BASE}/<int:id>', view_func=show)
app.add_url_rule(f'/{{name}}/x', view_func=show)
app.add_url_rule(f'{app.root}/about', view_func=show)
",
        ),
        (
            "shop.js",
            "const express = require('express');
const app = express();
function show(req, res) {}
app.get(`/x/${kind}`, show);
app.get(`${base}/y`, show);
",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /.../y", "GET /shop/{id}", "GET /{name}/x", "GET /.../about"]);
}

#[test]
fn calls_that_look_like_a_router_are_no_routes() {
    let page = "import { useRouter } from 'react-router';

export function Trial({ id, map }) {
  const router = useRouter();
  const current = '/rooms';
  map.get(current);
  return Promise.all([mutate('/api/rooms'), router.get('/x', done)]);
}
";
    let load = "export async function load(req, res, map) {
  const session = await getServerSession(req, res, {});
  const current = '/rooms';
  map.get(current);
  await Promise.all([work('/x')]);
}
";
    let site = Env::with(&[("page.tsx", page), ("load.ts", load)]);
    site.run(&["--kind", "entry"]).nothing();
}

#[test]
fn a_file_route_may_export_a_function_of_another_file() {
    let site = Env::with(&[
        ("lib/send.ts", "export default async function send(req, res) {\n  res.json({});\n}\n"),
        ("lib/user.ts", "export function withUser(next) {\n  return next;\n}\n"),
        ("pages/api/a.ts", "export { default } from '../../lib/send';\n"),
        ("pages/api/b.ts", "import send from '../../lib/send';\n\nexport default send;\n"),
        (
            "pages/api/c.ts",
            "import send from '../../lib/send';\nimport { withUser } from '../../lib/user';\n\n\
             export default withUser(send);\n",
        ),
        (
            "app/api/d/route.ts",
            "const handler = async (request) => new Response('');\n\nexport { handler as GET, handler as POST };\n",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /api/d", "POST /api/d", "ANY /api/a", "ANY /api/b", "ANY /api/c"]);
    for path in ["/api/a", "/api/b", "/api/c"] {
        assert_eq!(first(&site, path), "send", "{path}");
    }
    assert_eq!(first(&site, "POST /api/d"), "handler");
}

#[test]
fn a_scope_names_the_module_of_a_controller_and_an_action_its_function() {
    let site = Env::with(&[
        (
            "config/routes.rb",
            "Rails.application.routes.draw do
  resources :agents, only: [] do
    member do
      delete :memory, action: :forget
    end
  end
  scope module: :agents do
    resources :runs, only: [:index, :update]
  end
end
",
        ),
        (
            "app/controllers/agents/runs_controller.rb",
            "module Agents
  class RunsController
    def index; end
    def update; end
  end
end
",
        ),
        ("app/controllers/agents_controller.rb", "class AgentsController\n  def forget; end\nend\n"),
        ("app/controllers/runs_controller.rb", "class RunsController\n  def index; end\nend\n"),
    ]);
    for method in ["PATCH", "PUT"] {
        assert_eq!(first(&site, &format!("{method} /runs/1")), "Agents::RunsController::update");
    }
    assert_eq!(first(&site, "GET /runs"), "Agents::RunsController::index");
    assert_eq!(first(&site, "DELETE /agents/1/memory"), "AgentsController::forget");
}

#[test]
fn an_empty_path_keeps_the_slash_of_its_prefix() {
    let view = "from django.urls import path\nfrom views import show\n\nurlpatterns = [path('', show)]\n";
    let site = Env::with(&[
        (
            "urls.py",
            "from django.urls import include, path\nfrom views import show\n\n\
             urlpatterns = [path('home/', include([path('', show)])), path('items/', include('items'))]\n",
        ),
        ("items.py", view),
        ("views.py", "def show(request):\n    return 1\n"),
    ]);
    assert_eq!(entries(&site), ["ANY /items/", "ANY /home/"]);
}

#[test]
fn a_redirect_is_a_route_without_a_handler() {
    let site = Env::with(&[
        (
            "lib.rs",
            "use actix_web::web;

pub fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(web::scope(\"/feeds\").service(web::redirect(\"/old\", \"/new\")));
}
",
        ),
        ("routes/web.php", "<?php\nuse Illuminate\\Support\\Facades\\Route;\n\nRoute::view('/help', 'help');\n"),
    ]);
    assert_eq!(entries(&site), ["ANY /feeds/old", "GET /help"]);
    assert_eq!(first(&site, "GET /feeds/old"), "ANY /feeds/old");
}

#[test]
fn the_parts_of_a_nested_regular_expression_are_one_path() {
    let site = Env::with(&[
        (
            "site/urls.py",
            "from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter
from users.views import AdminViewSet, about, search

api_router = DefaultRouter()
api_router.register(r'users', AdminViewSet)
urlpatterns = [
    re_path(r'^api/', include([
        re_path('^search/', include(([re_path('^$', search), re_path(r'^(?P<id>\\d+)/?$', search)], 'search'))),
        *api_router.urls,
    ])),
    path('about/', about),
]
",
        ),
        (
            "users/views.py",
            "from rest_framework import viewsets
from rest_framework.decorators import action


def search(request):
    return 1


def about(request):
    return 2


class UserViewSet(viewsets.ModelViewSet):
    @action(detail=True)
    def notes(self, request, pk):
        return pk


class AdminViewSet(UserViewSet):
    pass
",
        ),
    ]);
    let mut all = entries(&site);
    all.sort();
    assert_eq!(
        all,
        [
            "ANY /about/",
            "ANY /api/search/",
            "ANY /api/search/{id}",
            "ANY /api/users/",
            "ANY /api/users/{pk}/",
            "GET /api/users/{pk}/notes/"
        ]
    );
    assert_eq!(first(&site, "GET /api/users/7/notes/"), "UserViewSet.notes");
}

#[test]
fn a_controller_inherits_the_prefix_of_its_base() {
    let base = "using Microsoft.AspNetCore.Mvc;\n\n[Route(\"api/[controller]\")]\n\
                public class BaseController : ControllerBase\n{\n}\n";
    let users = "using Microsoft.AspNetCore.Mvc;

public class UsersController : BaseController
{
    [HttpGet]
    public string All() { return \"\"; }

    [HttpGet(\"{id:int}\")]
    public string Show(int id) { return \"\"; }
}

[Route(\"own\")]
public class OwnController : BaseController
{
    [HttpGet(\"x\")]
    public string X() { return \"\"; }
}
";
    let site = Env::with(&[("BaseController.cs", base), ("UsersController.cs", users)]);
    assert_eq!(entries(&site), ["GET /api/Users", "GET /api/Users/{id}", "GET /own/x"]);
    assert_eq!(first(&site, "GET /api/Users/7"), "UsersController.Show");
    // An edit of the base changes the names in the other file.
    site.write("BaseController.cs", base.replace("api/", "v2/"));
    assert_eq!(entries(&site), ["GET /v2/Users", "GET /v2/Users/{id}", "GET /own/x"]);
}

#[test]
fn a_string_may_start_with_any_character() {
    let site = Env::with(&[(
        "shop.py",
        "from flask import Flask\n\napp = Flask(__name__)\nflag = {}.get('flag', '🌐')\nname = {}.get(\"你好\")\n\n\n\
         @app.get('/🌐')\ndef show():\n    return flag\n",
    )]);
    assert_eq!(entries(&site), ["GET /🌐"]);
}

#[test]
fn a_router_in_a_member_of_an_object_gets_the_prefix_of_its_mount() {
    let site = Env::with(&[
        (
            "api.js",
            "const express = require('express');
const users = require('./users');

class Api {
  constructor() {
    this.router = express();
    this.init();
  }

  init() {
    this.router.get('/users', users.list.bind(this));
  }
}
module.exports = Api;
",
        ),
        ("users.js", "class Users {\n  list(req, res) {}\n}\nmodule.exports = new Users();\n"),
        (
            "server.js",
            "const express = require('express');
const Api = require('./api');

class Server {
  constructor() {
    this.api = new Api();
  }

  start() {
    const router = express.Router();
    router.use('/api', this.api.router);
    router.get('/status', (req, res) => res.send('ok'));
    router.all('*', (req, res) => res.send(''));
  }
}
",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /.../api/users", "GET /.../status", "ANY /.../*"]);
    assert_eq!(first(&site, "GET /api/users"), "Users.list");
    // A route that fits every path fits worse than one whose prefix is unknown.
    assert_eq!(first(&site, "GET /base/api/users"), "Users.list");
}

#[test]
fn a_router_of_chi_is_mounted_and_passed_to_methods() {
    let site = Env::with(&[
        (
            "main.go",
            "package main

import (
	\"example.org/shop/routes\"
	\"github.com/go-chi/chi/v5\"
)

func main() {
	router := chi.NewRouter()
	apiRouter := chi.NewRouter()
	router.Mount(\"/api\", apiRouter)
	health := routes.NewHealth()
	health.RegisterRoutes(apiRouter)
}
",
        ),
        ("go.mod", "module example.org/shop\n"),
        (
            "routes/health.go",
            "package routes

import (
	\"net/http\"

	\"github.com/go-chi/chi/v5\"
)

type Health struct{}

func NewHealth() *Health { return &Health{} }

func (h *Health) RegisterRoutes(router chi.Router) {
	r := chi.NewRouter()
	r.Get(\"/disk\", h.Disk)
	router.Get(\"/health\", h.Get)
	router.Mount(\"/checks\", r)
}

func (h *Health) Get(w http.ResponseWriter, r *http.Request)  {}
func (h *Health) Disk(w http.ResponseWriter, r *http.Request) {}
",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /api/checks/disk", "GET /api/health"]);
    assert_eq!(first(&site, "GET /api/checks/disk"), "Health.Disk");
}

#[test]
fn a_resource_names_its_controller_and_module() {
    let site = Env::with(&[
        (
            "config/routes.rb",
            "Rails.application.routes.draw do
  resource :mfa, controller: \"mfa\", only: [:new]
  resource :transfer_match, only: [:create]
  resources :tags do
    resources :deletions, only: %i[create], module: :tag
  end
  namespace :webhooks do
    post \"stripe\"
  end
  namespace :api do
    namespace :v1 do
      resources :accounts, only: [:index]
    end
  end
end
",
        ),
        ("app/controllers/mfa_controller.rb", "class MfaController\n  def new; end\nend\n"),
        ("app/controllers/transfer_matches_controller.rb", "class TransferMatchesController\n  def create; end\nend\n"),
        ("app/controllers/tag/deletions_controller.rb", "class Tag::DeletionsController\n  def create; end\nend\n"),
        ("app/controllers/item/deletions_controller.rb", "class Item::DeletionsController\n  def create; end\nend\n"),
        ("app/controllers/webhooks_controller.rb", "class WebhooksController\n  def stripe; end\nend\n"),
        ("app/controllers/api/v1/accounts_controller.rb", "class Api::V1::AccountsController\n  def index; end\nend\n"),
        // Another file defines the modules of the controller above.
        (
            "app/controllers/api/v1/auth_controller.rb",
            "module Api\n  module V1\n    class AuthController\n      def login; end\n    end\n  end\nend\n",
        ),
        ("app/models/tag.rb", "class Tag\n  def name; end\nend\n"),
    ]);
    for (question, handler) in [
        ("GET /mfa/new", "MfaController::new"),
        ("POST /transfer_match", "TransferMatchesController::create"),
        ("POST /tags/1/deletions", "Tag::DeletionsController::create"),
        ("POST /webhooks/stripe", "WebhooksController::stripe"),
        ("GET /api/v1/accounts", "Api::V1::AccountsController::index"),
    ] {
        assert_eq!(first(&site, question), handler, "{question}");
    }
}

#[test]
fn a_file_route_may_export_values() {
    let site = Env::with(&[
        (
            "app/api/tags/route.ts",
            "import { wrap } from '../../../lib/wrap';

export const POST = wrap({
  handler: async (request) => create(request),
});
export const PUT: Handler = send;
export const { GET, DELETE } = handlers;

function send(request) {}
",
        ),
        ("app/api/labels/route.ts", "import { POST } from '../tags/route';\n\nexport { POST };\n"),
        ("lib/wrap.ts", "export const wrap = (options) => options.handler;\n"),
    ]);
    assert_eq!(
        entries(&site),
        ["POST /api/labels", "POST /api/tags", "PUT /api/tags", "GET /api/tags", "DELETE /api/tags"]
    );
    assert_eq!(first(&site, "PUT /api/tags"), "send");
    // The export without a function of its own is the answer, also for a file that exports it again.
    assert_eq!(first(&site, "POST /api/tags"), "POST /api/tags");
    let labels = site.run(&["ask", "POST /api/labels", "--json"]).found().json();
    assert_eq!(labels["results"][0]["path"], "app/api/tags/route.ts");
}

#[test]
fn a_type_that_is_derived_from_a_router_is_a_router() {
    let site = Env::with(&[
        ("base.py", "from fastapi import APIRouter\n\n\nclass UserAPIRouter(APIRouter):\n    pass\n"),
        (
            "users.py",
            "from base import UserAPIRouter\nfrom fastapi import Depends\n\nrouter = UserAPIRouter(prefix='/users')\n\n\n\
             @router.get('/self')\ndef show():\n    return 1\n",
        ),
        (
            "api.py",
            "from base import UserAPIRouter\nimport users\n\nrouter = UserAPIRouter(prefix='/api')\n\
             router.include_router(users.router)\n",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /.../api/users/self"]);
}

#[test]
fn a_resource_may_have_several_paths() {
    let site = Env::with(&[(
        "shop.py",
        "from flask_restful import Api, Resource


class Tag(Resource):
    def get(self, id=None):
        return id


api = Api()
api.add_resource(Tag, '/tag', '/tag/<id>', resource_class_kwargs={'store': 1})
",
    )]);
    assert_eq!(entries(&site), ["ANY /tag", "ANY /tag/{id}"]);
    assert_eq!(first(&site, "/tag/7"), "Tag");
}

#[test]
fn the_root_of_a_nested_router_has_the_path_of_its_prefix() {
    let site = Env::with(&[(
        "main.rs",
        "use axum::{Router, routing::{get, put}};

pub fn app() -> Router {
    Router::new().route(\"/\", get(home)).nest(\"/api/tools\", tools())
}

fn tools() -> Router {
    Router::new().route(\"/\", put(upload))
}

async fn home() {}
async fn upload() {}
",
    )]);
    assert_eq!(entries(&site), ["GET /", "PUT /api/tools"]);
}

#[test]
fn a_function_that_returns_the_handler_is_the_handler() {
    let site = Env::with(&[(
        "main.go",
        "package main

import \"github.com/gin-gonic/gin\"

type settings struct{}

func routes(r *gin.Engine, own *settings) {
	r.GET(\"/files\", serve(own))
	r.GET(\"/users\", withUser(list))
}

func serve(own *settings) func(c *gin.Context) {
	return func(c *gin.Context) {}
}

func withUser(next gin.HandlerFunc) gin.HandlerFunc { return next }
func list(c *gin.Context)                            {}
",
    )]);
    assert_eq!(first(&site, "GET /files"), "serve");
    assert_eq!(first(&site, "GET /users"), "list");
}

#[test]
fn the_annotation_of_a_handler_has_its_path() {
    let site = Env::with(&[
        (
            "src/main.rs",
            "mod group;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn app() -> OpenApiRouter {
    OpenApiRouter::new().nest(\"/api/groups\", group_routes())
}

fn group_routes() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(group::list, group::create)).routes(routes!(group::delete))
}
",
        ),
        (
            "src/group.rs",
            "#[utoipa::path(get, path = \"/\", tag = \"groups\")]
pub async fn list() {}

#[utoipa::path(post, path = \"/\")]
pub async fn create() {}

#[utoipa::path(
    delete,
    path = \"/{name}\",
    params((\"name\" = String, Path, description = \"Name, or number\")),
)]
pub async fn delete() {}

#[utoipa::path(get, path = \"/unused\")]
pub async fn unused() {}
",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /api/groups", "POST /api/groups", "DELETE /api/groups/{name}"]);
    assert_eq!(first(&site, "DELETE /api/groups/7"), "delete");
}

#[test]
fn a_loop_over_a_list_of_strings_registers_a_route_for_each() {
    let site = Env::with(&[
        (
            "shop.py",
            "from flask import Flask

app = Flask(__name__)
kinds = ['new',
         'old']


def show():
    return 1


for kind in kinds:
    app.add_url_rule('/{}/<sort>'.format(kind), view_func=show)
    app.add_url_rule(f'/all/{kind}', view_func=show)
for path in ['/a', load()]:
    app.add_url_rule(path, view_func=show)
",
        ),
        (
            "shop.js",
            "const express = require('express');
const app = express();
const pages = ['/users/:id', '/items'];
pages.forEach((page) => app.get(page, (req, res) => res.send('')));
",
        ),
    ]);
    assert_eq!(
        entries(&site),
        ["GET /users/{id}", "GET /items", "GET /new/{sort}", "GET /old/{sort}", "GET /all/new", "GET /all/old"]
    );
}

#[test]
fn an_empty_path_and_a_slash_are_two_routes_of_a_prefix() {
    let site = Env::with(&[(
        "shop.py",
        "from flask import Flask, Blueprint

app = Flask(__name__)
feed = Blueprint('feed', __name__, url_prefix='/feed')


@feed.get('/')
def with_slash():
    return 1


@feed.get('')
def plain():
    return 2


app.register_blueprint(feed)
",
    )]);
    assert_eq!(entries(&site), ["GET /feed/", "GET /feed"]);
}

#[test]
fn a_prefix_that_is_not_known_is_shown_as_unknown() {
    let shop = Env::with(&[
        (
            "users.py",
            "from flask import Blueprint\n\nusers = Blueprint('users', __name__)\n\n\n@users.get('/list')\ndef list_users():\n    return 1\n",
        ),
        (
            "orders.py",
            "import settings\nfrom fastapi import APIRouter, FastAPI\n\norders = APIRouter(prefix='/orders')\n\n\n\
             @orders.get('/{id}')\ndef show_order(id):\n    return id\n\n\n\
             app = FastAPI()\napp.include_router(orders, prefix=settings.PREFIX)\n",
        ),
        (
            "tags.go",
            "package shop

import \"github.com/gin-gonic/gin\"

func RegisterTags(group *gin.RouterGroup) {
	group.GET(\"/tags\", listTags)
}

func RegisterHealth(engine *gin.Engine) {
	engine.GET(\"/health\", health)
}

func listTags(c *gin.Context) {}
func health(c *gin.Context)   {}
",
        ),
        (
            "Jobs.cs",
            "using Microsoft.AspNetCore.Mvc;

[Versioned]
public class JobsController : ControllerBase
{
    [HttpPost(\"update\")]
    public string Update() { return \"\"; }

    [HttpGet(\"/jobs\")]
    public string All() { return \"\"; }
}
",
        ),
        (
            "items.js",
            "const express = require('express');
const { ITEMS_PATH } = require('./settings');
const app = express();
const items = express.Router();
function showItem(req, res) {}
items.get('/:id', showItem);
app.use(ITEMS_PATH, authenticate, items);
",
        ),
    ]);
    assert_eq!(
        entries(&shop),
        [
            "POST /.../update",
            "GET /jobs",
            "GET /.../{id}",
            "GET /.../orders/{id}",
            "GET /.../tags",
            "GET /health",
            "GET /.../list",
        ]
    );
    for (question, answer, confidence) in [
        ("GET /list", "list_users", 0.6),
        ("GET /admin/list", "list_users", 0.6),
        ("GET /.../list", "list_users", 0.95),
        ("POST /api/v1/Jobs/update", "JobsController.Update", 0.6),
        ("GET /health", "health", 0.95),
    ] {
        assert_eq!((first(&shop, question).as_str(), right(&shop, question)), (answer, confidence), "{question}");
    }
}

/// Actix Web and Rocket: an attribute has the path of a handler, and another place mounts the handler.
#[test]
fn a_handler_with_a_path_gets_the_prefix_of_its_mount() {
    let actix = Env::with(&[
        (
            "src/main.rs",
            "mod users;
use actix_web::{web, App, HttpServer, get};

#[get(\"/health\")]
async fn health() {}

#[actix_web::main]
async fn main() {
    HttpServer::new(|| {
        App::new().service(health).service(
            web::scope(\"/api\").configure(users::config).service(web::scope(\"/v1\").service(users::count)),
        )
    });
}
",
        ),
        (
            "src/users.rs",
            "use actix_web::{delete, get, web};

#[get(\"/{id}\")]
async fn show() {}

#[get(\"/count\")]
pub async fn count() {}

#[delete(\"/unused\")]
async fn unused() {}

pub fn config(settings: &mut web::ServiceConfig) {
    settings.service(web::scope(\"/users\").service(show));
}
",
        ),
    ]);
    let known = ["GET /health", "GET /api/users/{id}", "GET /api/v1/count", "DELETE /.../unused"];
    assert_eq!(entries(&actix), known);

    let rocket = Env::with(&[
        (
            "src/main.rs",
            "#[macro_use] extern crate rocket;
mod users;

#[get(\"/\")]
fn index() {}

#[launch]
fn rocket() -> _ {
    rocket::build()
        .mount(\"/\", routes![index])
        .mount(\"/users\", routes![users::list, users::show])
        .mount(\"/admin\", users::admin())
}
",
        ),
        (
            "src/users.rs",
            "use rocket::{get, routes, Route};

#[get(\"/\")]
pub fn list() {}

#[get(\"/<id>?<full>\")]
pub fn show(id: u32) {}

#[get(\"/panel\")]
fn panel() {}

pub fn admin() -> Vec<Route> {
    routes![panel]
}
",
        ),
    ]);
    assert_eq!(entries(&rocket), ["GET /", "GET /users", "GET /users/{id}", "GET /admin/panel"]);
    assert_eq!(first(&rocket, "GET /users/7"), "show");
}

#[test]
fn an_annotation_of_the_repository_has_the_prefix_of_its_type() {
    let site = Env::with(&[
        (
            "Attributes.cs",
            "using Microsoft.AspNetCore.Mvc;

public class ApiV1Attribute : RouteAttribute
{
    protected const string ApiBase = \"api/v1/[controller]\";

    public ApiV1Attribute() : base(ApiBase) { }
}

public class AdminAttribute : RouteAttribute
{
    public AdminAttribute() : base(\"admin\") { }
}

public class PlainAttribute : System.Attribute
{
    public PlainAttribute() : base(\"plain\") { }
}
",
        ),
        ("Base.cs", "using Microsoft.AspNetCore.Mvc;\n\n[ApiV1]\npublic class BaseController : ControllerBase\n{\n}\n"),
        (
            "Jobs.cs",
            "using Microsoft.AspNetCore.Mvc;

[ApiV1]
[Plain]
public class JobController : ControllerBase
{
    [HttpPost(\"update\")]
    public bool Update() { return true; }
}

public class HubController : BaseController
{
    [HttpGet]
    public bool All() { return true; }
}

[Admin, Plain]
public class UsersController : ControllerBase
{
    [HttpGet(\"users\")]
    public bool Users() { return true; }
}
",
        ),
    ]);
    assert_eq!(entries(&site), ["POST /api/v1/Job/update", "GET /api/v1/Hub", "GET /admin/users"]);
    assert_eq!(first(&site, "POST /api/v1/Job/update"), "JobController.Update");

    let site = Env::with(&[
        (
            "src/ApiV1.java",
            "import org.springframework.web.bind.annotation.*;\n\n@RestController\n@RequestMapping(\"/api/v1\")\n\
             public @interface ApiV1 {\n}\n",
        ),
        (
            "src/Users.java",
            "import org.springframework.web.bind.annotation.*;\n\n@ApiV1\npublic class Users {\n    \
             @GetMapping(\"/users\")\n    public String list() { return \"\"; }\n}\n",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /api/v1/users"]);
}

#[test]
fn a_router_in_a_variable_gets_the_prefix_of_its_mount() {
    let site = Env::with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        (
            "src/main.rs",
            "use axum::{Router, routing::get};
mod api;
mod auth;

pub fn app<A: auth::Authorizer>(authorizer: A) -> Router {
    let v1 = api::v1::full_router::<u8>();
    let own = Router::<u8>::new().route(\"/info\", get(show)).merge(health());
    let later = Router::new();
    let later = later.merge(metrics());
    Router::new()
        .nest(\"/catalog/v1\", v1)
        .nest(\"/own\", own)
        .nest(\"/later\", later)
        .nest(\"/layered\", users().layer(log()))
        .nest(\"/auth\", authorizer.new_router())
}

fn health() -> Router {
    Router::new().route(\"/health\", get(show))
}

fn metrics() -> Router {
    Router::new().route(\"/metrics\", get(show))
}

fn users() -> Router {
    Router::new().route(\"/users\", get(show))
}

fn log() {}

pub fn unused_router() -> Router {
    users()
}

async fn show() {}
",
        ),
        (
            "src/api/mod.rs",
            "pub mod v1 {
    use axum::Router;
    pub mod config;

    pub fn full_router<T>() -> Router {
        let router = Router::new().merge(config::router::<T>());
        router
    }
}
",
        ),
        (
            "src/api/v1/config.rs",
            "use axum::{Router, routing::get};

pub fn router<T>() -> Router {
    Router::new().route(\"/config\", get(read))
}

async fn read() {}
",
        ),
        (
            "src/auth.rs",
            "use axum::{Router, routing::get};

pub trait Authorizer {
    fn new_router(&self) -> Router;
}

pub struct Open;

impl Authorizer for Open {
    fn new_router(&self) -> Router {
        let router = permissions();
        Router::new().nest(\"/permissions\", router)
    }
}

fn permissions() -> Router {
    check_router()
}

fn check_router() -> Router {
    Router::new().route(\"/check\", get(check))
}

async fn check() {}
",
        ),
    ]);
    let mut all = entries(&site);
    all.sort();
    assert_eq!(
        all,
        [
            "GET /auth/permissions/check",
            "GET /catalog/v1/config",
            "GET /later/metrics",
            "GET /layered/users",
            "GET /own/health",
            "GET /own/info",
        ]
    );
    assert_eq!(first(&site, "GET /catalog/v1/config"), "read");
}

#[test]
fn a_namespace_gets_the_prefix_of_its_api() {
    let site = Env::with(&[
        (
            "api.py",
            "from flask import Blueprint
from flask_restx import Api
from teams import teams
from users import members, users

api = Blueprint('api', __name__, url_prefix='/api/v1')
rest = Api(api, version='v1')
rest.add_namespace(users, '/people')
rest.add_namespace(members)
rest.add_namespace(teams)
own = rest.namespace('own', path='/self')


@own.route('', '/all')
class Own(Resource):
    def get(self):
        return []
",
        ),
        (
            "users.py",
            "from flask_restx import Namespace, Resource

users = Namespace('users', description='x')
members = Namespace('members')


@users.route('/<int:user_id>')
class User(Resource):
    def get(self, user_id):
        return {}


@members.route('')
class Members(Resource):
    def get(self):
        return {}
",
        ),
        (
            "teams.py",
            "from flask_restx import Namespace, Resource

teams = Namespace('teams', path='/groups')


@teams.route('/')
class Teams(Resource):
    def post(self):
        return {}
",
        ),
        (
            "app.py",
            "from flask import Flask
from flask_restx import Api
from api import api

app = Flask(__name__)
app.register_blueprint(api)
old = Api(app, prefix='/v0')


@old.route('/status')
class Status(Resource):
    def get(self):
        return {}


def register_asset(app, path):
    rule = '/' + path
    app.add_url_rule(rule=rule, endpoint=path, view_func=lambda: path)
",
        ),
    ]);
    let mut all = entries(&site);
    all.sort();
    assert_eq!(
        all,
        [
            "GET /api/v1/members",
            "GET /api/v1/people/{user_id}",
            "GET /api/v1/self",
            "GET /api/v1/self/all",
            "GET /v0/status",
            "POST /api/v1/groups/",
        ]
    );
    assert_eq!(first(&site, "GET /api/v1/people/7"), "User.get");
}

#[test]
fn a_decorated_function_is_the_handler_and_not_what_its_decorator_returns() {
    let site = Env::with(&[
        (
            "app/utils.py",
            "import functools\n\n\ndef require_ajax(f):\n    @functools.wraps(f)\n    def wrap(request):\n        \
             return f(request)\n\n    return wrap\n",
        ),
        (
            "app/views.py",
            "from .utils import require_ajax\n\n\n@require_ajax\ndef list_users(request):\n    return 1\n",
        ),
        (
            "app/urls.py",
            "from django.urls import path\nfrom . import views\n\nurlpatterns = [path('users/', views.list_users)]\n",
        ),
    ]);
    assert_eq!(first(&site, "GET /users/"), "list_users");
}

#[test]
fn a_resource_may_have_another_path_than_its_name() {
    let site = Env::with(&[
        (
            "config/routes.rb",
            "Rails.application.routes.draw do
  resources :archived_notes, only: %i[index], path: 'notes/archived'
  resources :notes, only: %i[show], path: 'n', param: 'slug' do
    resources :values, only: %i[index]
    get :completed
  end
  resource :proxy, only: %i[show], path: '/file/:uuid/*filename'
  resources :forms, only: [], path: '' do
    get :success, on: :collection
  end
  resource :invitation, only: %i[update] do
    get '' => :edit
  end
  scope '/me', controller: :users do
    get 'profile', action: :show
  end
  controller :users do
    get :index
  end
end
",
        ),
        (
            "app/controllers/users_controller.rb",
            "class UsersController\n  def index\n  end\n\n  def show\n  end\nend\n",
        ),
        ("app/controllers/invitations_controller.rb", "class InvitationsController\n  def edit\n  end\nend\n"),
        ("app/controllers/notes_controller.rb", "class NotesController\n  def show\n  end\nend\n"),
    ]);
    assert_eq!(
        entries(&site),
        [
            "GET /notes/archived",
            "GET /n/{slug}",
            "GET /n/{note_slug}/values",
            "GET /n/{note_slug}/completed",
            "GET /file/{uuid}/{filename}",
            "GET /success",
            "PATCH /invitation",
            "PUT /invitation",
            "GET /invitation",
            "GET /me/profile",
            "GET /index",
        ]
    );
    assert_eq!(first(&site, "GET /n/7"), "NotesController::show");
    assert_eq!(first(&site, "GET /invitation"), "InvitationsController::edit");
    assert_eq!(first(&site, "GET /me/profile"), "UsersController::show");
    assert_eq!(first(&site, "GET /index"), "UsersController::index");
}

#[test]
fn the_function_around_an_exported_value_is_not_the_handler() {
    let site = Env::with(&[
        (
            "app/api/clean/route.ts",
            "import { NextResponse } from 'next/server';\nimport { withError, withQueue } from '../../../lib/wrap';\n\n\
             export const POST = withError(\n  withQueue(async (request) => NextResponse.json({})),\n);\n",
        ),
        (
            "app/api/stats/route.ts",
            "import { NextResponse } from 'next/server';\nimport { createStats } from '../../../lib/wrap';\n\n\
             export const GET = createStats(\n  'org/stats',\n  getBuckets,\n);\n\n\
             async function getBuckets() {\n  return NextResponse.json(1);\n}\n",
        ),
        (
            "lib/wrap.ts",
            "export function withError(f) {\n  return f;\n}\n\nexport function withQueue(f) {\n  return f;\n}\n\n\
             export function createStats(name, f) {\n  return f;\n}\n",
        ),
    ]);
    assert_eq!(entries(&site), ["POST /api/clean", "GET /api/stats"]);
    assert_eq!(first(&site, "POST /api/clean"), "POST /api/clean");
    assert_eq!(first(&site, "GET /api/stats"), "getBuckets");
}

#[test]
fn a_group_without_a_variable_has_its_prefix() {
    let site = Env::with(&[(
        "main.go",
        "package main

import \"github.com/gin-gonic/gin\"

func main() {
	g := gin.New()
	g.Group(\"/user\").Use(auth).POST(\"\", index)
	g.Group(\"/team\").POST(\"/new\", index)
	v1 := g.Group(\"/v1\")
	v1.Group(\"/own\").GET(\"/x\", index)
	g.Match([]string{\"GET\", \"HEAD\"}, \"/health\", health)
	g.GET(\"/\", serveFile(\"index.html\", noop))
	g.GET(\"/wrapped\", wrap(index))
}

func index(ctx *gin.Context)  {}
func health(ctx *gin.Context) {}

func noop(s string) string { return s }

func wrap(h gin.HandlerFunc) gin.HandlerFunc { return h }

func serveFile(name string, convert func(string) string) gin.HandlerFunc {
	return func(ctx *gin.Context) { ctx.String(200, convert(name)) }
}
",
    )]);
    assert_eq!(
        entries(&site),
        ["POST /user", "POST /team/new", "GET /v1/own/x", "GET /health", "HEAD /health", "GET /", "GET /wrapped",]
    );
    assert_eq!(first(&site, "GET /"), "serveFile");
    assert_eq!(first(&site, "GET /wrapped"), "index");
}

#[test]
fn an_unknown_end_of_a_path_is_shown_as_unknown() {
    let site = Env::with(&[
        (
            "routes/api.php",
            "<?php

use App\\Http\\Controllers\\VaultController;
use Illuminate\\Support\\Facades\\Route;

Route::apiResource('vaults', VaultController::class)->only(['update']);
Route::post('/hook/'.config('x'), [VaultController::class, 'store']);
Route::controller(VaultController::class)->prefix('own')->group(function () {
    Route::get('/all', 'index');
});
",
        ),
        (
            "app/Http/Controllers/VaultController.php",
            "<?php\n\nnamespace App\\Http\\Controllers;\n\nclass VaultController\n{\n    public function update() {}\n    \
             public function store() {}\n    public function index() {}\n}\n",
        ),
    ]);
    assert_eq!(
        entries(&site),
        ["PUT /api/vaults/{vault}", "PATCH /api/vaults/{vault}", "POST /api/hook/...", "GET /api/own/all"]
    );
    assert_eq!(first(&site, "GET /api/own/all"), "VaultController::index");
}

#[test]
fn a_method_that_is_mapped_to_an_action_has_its_path() {
    let site = Env::with(&[(
        "shop/urls.py",
        "from rest_framework.decorators import action
from rest_framework.routers import DefaultRouter


class UserViewSet:
    @action(detail=True, methods=['get'])
    def notes(self, request, pk):
        return 1

    @notes.mapping.patch
    def change_notes(self, request, pk):
        return 2


router = DefaultRouter()
router.register('users', UserViewSet)
",
    )]);
    assert!(entries(&site).contains(&"PATCH /users/{pk}/notes/".to_owned()), "{:?}", entries(&site));
    assert_eq!(first(&site, "PATCH /users/7/notes/"), "UserViewSet.change_notes");
}

#[test]
fn a_function_that_extends_a_router_registers_on_it() {
    let site = Env::with(&[
        (
            "Program.cs",
            "using Microsoft.AspNetCore.Builder;

var app = WebApplication.Create();
app.MapGroup(\"/todos\").MapTodos();
var users = app.MapGroup(\"/users\");
users.MapUsers().WithTags(\"users\");
app.Run();
",
        ),
        (
            "Endpoints.cs",
            "using Microsoft.AspNetCore.Builder;

public static class Endpoints
{
    public static RouteGroupBuilder MapTodos(this RouteGroupBuilder group)
    {
        group.MapGet(\"/{id}\", Show);
        return group;
    }

    public static RouteGroupBuilder MapUsers(this RouteGroupBuilder group)
    {
        group.MapGet(\"/\", Show);
        return group;
    }

    static string Show() => \"\";
}
",
        ),
    ]);
    assert_eq!(entries(&site), ["GET /todos/{id}", "GET /users/"]);
}

#[test]
fn annotations_of_one_function_are_one_route() {
    let site = Env::with(&[(
        "Users.cs",
        "using Microsoft.AspNetCore.Mvc;

[Route(\"api/[controller]\")]
public class UsersController : ControllerBase
{
    [HttpPost] [Route(\"new\")] public void Add() { }
    [Route(\"/health\")] [HttpGet] public void Health() { }
    [HttpDelete(\"~/all\")] public void Clear() { }
    [AcceptVerbs(\"GET\", \"HEAD\")] public void List() { }
    [HttpPut(Paths.Update)] public void Update() { }
}
",
    )]);
    let known = [
        "POST /api/Users/new",
        "GET /health",
        "DELETE /all",
        "GET /api/Users",
        "HEAD /api/Users",
        "PUT /api/Users/...",
    ];
    assert_eq!(entries(&site), known);
}

#[test]
fn a_function_inside_a_mount_registers_on_its_argument() {
    let site = Env::with(&[
        (
            "main.go",
            "package main

import \"github.com/go-chi/chi/v5\"

func main() {
	root := chi.NewRouter()
	root.Route(\"/users\", func(users chi.Router) {
		users.Get(\"/\", list)
		users.Route(\"/{id}\", func(user chi.Router) { user.Get(\"/posts\", list) })
	})
}
",
        ),
        (
            "server.js",
            "const fastify = require('fastify')();
fastify.register(async (tags) => {
  tags.get('/list', async () => []);
}, { prefix: '/tags' });
",
        ),
        (
            "app.js",
            "const express = require('express');
const app = express();
const labels = express.Router();
labels.get('/', (req, res) => {});
app.use(['/labels', '/marks'], labels);
",
        ),
    ]);
    assert_eq!(
        entries(&site),
        ["GET /labels/", "GET /marks/", "GET /users", "GET /users/{id}/posts", "GET /tags/list"]
    );
}

#[test]
fn resources_have_several_names_parents_and_limits() {
    let site = Env::with(&[
        (
            "config/routes.rb",
            "Rails.application.routes.draw do
  concern :commentable do
    resources :comments, only: :index
  end
  resources :cats, :dogs, only: :index
  resources :birds, only: [] do
    collection { post :update }
  end
  resource :app, only: [] do
    member { get :login }
  end
end
",
        ),
        (
            "routes/web.php",
            "<?php

use Illuminate\\Support\\Facades\\Route;

Route::resource('photos.comments', CommentController::class)->shallow()->only('show');
Route::apiResources(['tags' => TagController::class]);
",
        ),
    ]);
    assert_eq!(
        entries(&site),
        [
            "GET /.../comments",
            "GET /cats",
            "GET /dogs",
            "POST /birds",
            "GET /app/login",
            "GET /photos/{photo}/comments/{comment}",
            "GET /tags",
            "POST /tags",
            "GET /tags/{tag}",
            "PUT /tags/{tag}",
            "PATCH /tags/{tag}",
            "DELETE /tags/{tag}",
        ]
    );
}

#[test]
fn a_router_of_many_routes_in_another_file_has_its_prefix() {
    let routes = |file: &str| {
        let route = |at: usize| format!("@users.get('/{file}{at}')\ndef show{at}():\n    return 1\n\n\n");
        format!("from shop import users\nimport flask\n\n\n{}", (0..40).map(route).collect::<String>())
    };
    let (a, b) = (routes("a"), routes("b"));
    let shop = "from flask import Blueprint, Flask\n\nusers = Blueprint('users', __name__)\n\n\ndef create():\n    app = Flask(__name__)\n    \
                import a, b\n    app.register_blueprint(users, url_prefix='/users')\n";
    let env = Env::with(&[("shop.py", shop), ("a.py", &a), ("b.py", &b)]);
    let entries = entries(&env);
    assert_eq!(entries.len(), 80);
    assert!(entries.iter().all(|name| name.starts_with("GET /users/")), "{entries:?}");
}

#[test]
fn a_controller_of_spring_may_be_written_in_kotlin() {
    let shop = Env::with(&[(
        "Users.kt",
        "package shop

import org.springframework.web.bind.annotation.*

const val BASE = \"/users\"

@RestController
@RequestMapping(BASE, produces = [\"application/json\"])
class Users(private val store: Store) {
    @GetMapping(value = [\"/{id}\", \"/one/{id}\"])
    suspend fun show(@PathVariable id: Int) = store.find(id)

    @PostMapping
    fun create(): Int = 1
}
",
    )]);
    assert_eq!(entries(&shop), ["GET /users/{id}", "GET /users/one/{id}", "POST /users"]);
    assert_eq!(first(&shop, "POST /users"), "Users.create");
}

#[test]
fn an_expression_in_a_string_has_the_form_of_its_language() {
    let site = Env::with(&[
        (
            "routes/web.php",
            "<?php

use Illuminate\\Support\\Facades\\Route;

$base = '/shop';
Route::get(\"{$base}/a/{id}\", [Shop::class, 'a']);
Route::get(\"$base/b\", [Shop::class, 'b']);
Route::get(\"{$settings->base}/c\", [Shop::class, 'c']);
Route::get('/$base/d', [Shop::class, 'd']);
",
        ),
        (
            "Users.kt",
            "import org.springframework.web.bind.annotation.*

const val BASE = \"/users\"

@RestController
class Users {
    @GetMapping(\"$BASE/{id}\")
    fun show() = 1

    @GetMapping(\"${BASE}/all\")
    fun all() = 1
}
",
        ),
    ]);
    assert_eq!(
        entries(&site),
        ["GET /users/{id}", "GET /users/all", "GET /shop/a/{id}", "GET /shop/b", "GET /.../c", "GET /$base/d"]
    );
}

#[test]
fn a_router_is_followed_to_the_application_that_creates_it() {
    let site = Env::with(&[
        (
            "web.py",
            "from flask import Flask\n\nflask_app = Flask(__name__)\n\n\n@flask_app.get('/home')\ndef home():\n    return 1\n",
        ),
        ("server.js", "import express from 'express';\nexport const api = express();\n"),
        (
            "mount.js",
            "import 'express';\nimport { api } from './server.js';\nimport { users } from './users.js';\napi.use('/users', users);\n",
        ),
        (
            "users.js",
            "import express from 'express';\nexport const users = express.Router();\nusers.get('/x', (req, res) => {});\n",
        ),
        (
            "main.js",
            "const express = require('express');
const site = express();
require('./routes')(site);
require('./more').register(site);
site.use('/tags', require('./tags').router);
",
        ),
        ("routes.js", "module.exports = function (server) {\n  server.get('/a', (req, res) => {});\n};\n"),
        ("more.js", "exports.register = (target) => {\n  target.get('/b', (req, res) => {});\n};\n"),
        (
            "tags.js",
            "const express = require('express');\nconst router = express.Router();\nrouter.get('/run!', (req, res) => {});\nmodule.exports = { router };\n",
        ),
    ]);
    let known = ["GET /b", "GET /a", "GET /tags/run!", "GET /users/x", "GET /home"];
    assert_eq!(entries(&site), known);
}

#[test]
fn annotations_of_one_function_may_have_any_order() {
    let class = |name: &str, annotations: &str| {
        format!(
            "\n[Route(\"{name}\")]\npublic class {name}Controller : ControllerBase\n{{\n    {annotations} public void Run() {{ }}\n}}\n"
        )
    };
    let all = [
        ("one", "[Route(\"r\")] [AcceptVerbs(\"GET\", \"POST\")]"),
        ("two", "[AcceptVerbs(\"GET\", \"POST\")] [Route(\"r\")]"),
        ("three", "[Route(\"r\")] [HttpGet] [HttpPost]"),
        ("four", "[HttpGet] [HttpPost] [Route(\"r\")]"),
        ("five", "[HttpGet] [Route(\"r\")] [HttpPost]"),
    ];
    for (name, annotations) in all {
        let text = format!("using Microsoft.AspNetCore.Mvc;\n{}", class(name, annotations));
        let site = Env::with(&[("Users.cs", &text)]);
        let mut found = entries(&site);
        found.sort();
        assert_eq!(found, [format!("GET /{name}/r"), format!("POST /{name}/r")], "{annotations}");
    }
    let text = format!("using Microsoft.AspNetCore.Mvc;\n{}", class("six", "[HttpGet] [Route(\"a\")] [Route(\"b\")]"));
    assert_eq!(entries(&Env::with(&[("Users.cs", &text)])), ["GET /six/a", "GET /six/b"]);
}

/// Laravel: a provider includes the files of routes, whose usual prefix it may repeat.
#[test]
fn a_provider_gives_files_of_routes_their_prefix() {
    let routes = |path: &str| {
        format!("<?php\n\nuse Illuminate\\Support\\Facades\\Route;\n\nRoute::get('{path}', InfoController::class);\n")
    };
    let (admin, api, web) = (routes("/info"), routes("/users"), routes("/home"));
    let site = Env::with(&[
        (
            "app/Providers/RouteServiceProvider.php",
            "<?php

namespace App\\Providers;

use Illuminate\\Support\\Facades\\Route;

class RouteServiceProvider
{
    public function boot()
    {
        Route::middleware('web')->group(function () {
            Route::prefix('/admin')->group(base_path('routes/admin.php'));
            Route::middleware('auth')->group(base_path('routes/web.php'));
        });
        Route::prefix('api')->middleware('api')->group(base_path('routes/api.php'));
    }
}
",
        ),
        ("app/Http/InfoController.php", "<?php\n\nclass InfoController\n{\n    public function __invoke() {}\n}\n"),
        ("routes/admin.php", &admin),
        ("routes/api.php", &api),
        ("routes/web.php", &web),
    ]);
    assert_eq!(entries(&site), ["GET /admin/info", "GET /api/users", "GET /home"]);
    assert_eq!(first(&site, "GET /admin/info"), "InfoController::__invoke");
}

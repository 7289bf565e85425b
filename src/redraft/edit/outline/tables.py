"""In: nothing. Out: the declarations of each grammar, as `rules.py` reads them."""

_C = """
function function_definition %declarator
function declaration %declaration
variable field_declaration %declarator
class* struct_specifier %with_body
class* union_specifier %with_body
enum* enum_specifier %with_body
field enumerator name
type* type_definition %typedef
import preproc_include path
macro preproc_def name
macro preproc_function_def name
key initializer_pair designator
"""

_JAVASCRIPT = """
wrap ambient_declaration
import import_statement source.#string_fragment|source
class* class_declaration name
class* abstract_class_declaration name
class* class name
function function_declaration name
function generator_function_declaration name
function method_definition name
function method_signature name
function abstract_method_signature name
function function_signature name
field field_definition property
field public_field_definition name
field property_signature name
interface* interface_declaration name
enum* enum_declaration name
field enum_assignment name
field enum_body/property_identifier %squeezed
type* type_alias_declaration name
namespace* internal_module name
namespace* module name
variable lexical_declaration %declarators
variable variable_declaration %declarators
call expression_statement %expression
export export_statement %export
key pair key
item object %item
"""

_MARKUP = """
element* element %element
section* script_element %element
section* style_element %element
section* template_element %element
"""

TABLES = {
    "c": _C,
    "cpp": """
like c
wrap template_declaration
class* class_specifier %with_body
namespace* namespace_definition name|=namespace
type alias_declaration name
import using_declaration %text
function friend_declaration %text
type concept_definition name
call expression_statement %cpp_macro
""",
    "objc": """
like c
class* class_interface #identifier
class* class_implementation %implementation
interface* protocol_declaration #identifier
field property_declaration %objc_property
function method_declaration %selector_name
function method_definition %selector_name
""",
    "csharp": """
wrap global_statement
import using_directive %after_keyword
namespace* namespace_declaration name
namespace file_scoped_namespace_declaration name
class* class_declaration name
class* record_declaration name
class* struct_declaration name
class* record_struct_declaration name
interface* interface_declaration name
enum* enum_declaration name
field enum_member_declaration name
function method_declaration name
function local_function_statement name
function constructor_declaration name
function destructor_declaration %tilde
function operator_declaration %operator
function conversion_operator_declaration %operator
field property_declaration name
field indexer_declaration =this[]
field event_declaration name
field event_field_declaration %field_names
field field_declaration %field_names
field local_declaration_statement %field_names
type delegate_declaration name
""",
    "java": """
import import_declaration %after_keyword
package package_declaration %after_keyword
class* class_declaration name
class* record_declaration name
interface* interface_declaration name
interface* annotation_type_declaration name
enum* enum_declaration name
field enum_constant name
function method_declaration name
function constructor_declaration name
function compact_constructor_declaration name
function static_initializer =static
field field_declaration %field_names
field constant_declaration %field_names
field local_variable_declaration %field_names
function annotation_type_element_declaration name
""",
    "kotlin": """
pass import_list
import import_header #identifier
package package_header #identifier
class* class_declaration %kotlin_class
class* object_declaration #type_identifier
class* companion_object #type_identifier|=companion
function function_declaration #simple_identifier
function secondary_constructor =constructor
function anonymous_initializer =init
variable property_declaration #variable_declaration.#simple_identifier|%text
type type_alias #type_identifier
field enum_entry #simple_identifier
call call_expression %call
""",
    "swift": """
import import_declaration #identifier
class* class_declaration %swift_class
interface* protocol_declaration name
function function_declaration name
function protocol_function_declaration name
function init_declaration =init
function deinit_declaration =deinit
function subscript_declaration =subscript
variable property_declaration name
variable protocol_property_declaration name.bound_identifier|name
type typealias_declaration name
type associatedtype_declaration name
field enum_entry name
call call_expression %call
""",
    "scala": """
package package_clause name
import import_declaration %after_keyword
class* class_definition name
class* object_definition name
class* package_object name
interface* trait_definition name
enum* enum_definition name
field simple_enum_case name
field full_enum_case name
function function_definition name
function function_declaration name
variable val_definition pattern
variable var_definition pattern
variable val_declaration name
variable var_declaration name
type type_definition name
variable given_definition name|%header
class* extension_definition %header
call call_expression %call
call infix_expression %infix
""",
    "dart": """
pass static_final_declaration_list initialized_identifier_list
wrap declaration
import import_or_export %text
import part_directive %text
import part_of_directive %text
class* class_definition name
class* mixin_declaration #identifier
class* extension_declaration name|%header
class* extension_type_declaration name|%header
enum* enum_declaration name
field enum_constant name
function function_signature name
function method_signature %dart
function constructor_signature %dart
function constant_constructor_signature %dart
function factory_constructor_signature %dart
function redirecting_factory_constructor_signature %dart
function getter_signature name
function setter_signature name
function operator_signature %operator
variable static_final_declaration #identifier
variable initialized_identifier #identifier
variable initialized_variable_definition name
type type_alias #type_identifier
call expression_statement %expression
""",
    "go": """
package package_clause #package_identifier
import import_declaration %go_import
import import_spec path.#interpreted_string_literal_content|path
function function_declaration name
function method_declaration name
function method_elem name
type* type_declaration %go_type
type* type_spec name
type type_alias name
field field_declaration name|type
variable const_declaration %go_specs
variable var_declaration %go_specs
variable const_spec name
variable var_spec name
variable assignment_statement left
key keyed_element %go_key
call expression_statement %expression
""",
    "rust": """
import use_declaration argument
import extern_crate_declaration name
import mod_item %rust_mod
class* struct_item name
class* union_item name
enum* enum_item name
field enum_variant name
field field_declaration name
impl* impl_item %rust_impl
interface* trait_item name
function function_item name
function function_signature_item name
type type_item name
type associated_type name
variable const_item name
variable static_item name
macro macro_definition name
call macro_invocation %rust_macro
call expression_statement %expression
field field_initializer field
""",
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "tsx": _JAVASCRIPT,
    "python": """
wrap decorated_definition
class* class_definition name
function function_definition name
import import_statement %text
import import_from_statement %text
import future_import_statement %text
variable assignment left
type type_alias_statement left|%text
key pair key
item dictionary %item
section if_statement %python_main
""",
    "starlark": "like python",
    "gdscript": """
class* class_definition name
function function_definition name
function constructor_definition =_init
variable variable_statement name
variable const_statement name
variable export_variable_statement name
variable onready_variable_statement name
enum* enum_definition name
type signal_statement name
""",
    "ruby": """
class* class name
namespace* module name
class* singleton_class %header
function method name
function singleton_method name
variable assignment %ruby_assignment
call call %call
key pair key
""",
    "php": """
wrap expression_statement
namespace* namespace_definition name
import namespace_use_declaration %after_keyword
import use_declaration %after_keyword
class* class_declaration name
interface* interface_declaration name
class* trait_declaration name
enum* enum_declaration name
field enum_case name
function function_definition name
function method_declaration name
field const_declaration #const_element.#name
field property_declaration #property_element.name.#name
variable assignment_expression left
key array_element_initializer %php_key
call function_call_expression %call
call member_call_expression %call
call scoped_call_expression %call
""",
    "lua": """
function function_declaration name
variable variable_declaration %lua_names
variable assignment_statement %lua_names
key field name
call function_call %call
""",
    "luau": """
like lua
type* type_definition name
""",
    "perl": """
package package_statement name
import use_statement %after_keyword
function subroutine_declaration_statement name
function method_declaration_statement name
variable expression_statement %perl_statement
""",
    "r": """
variable binary_operator %r_assignment
call call %r_call
""",
    "julia": """
namespace* module_definition name
import using_statement %after_keyword
import import_statement %after_keyword
function function_definition %julia_name
function macro_definition %julia_name
class* struct_definition #type_head.#identifier|%header
type abstract_definition #type_head.#identifier|%header
variable const_statement %julia_assignment
variable assignment %julia_assignment
call macrocall_expression %julia_macro
""",
    "elixir": """
class* call %elixir
""",
    "erlang": """
package module_attribute name
export export_attribute =exports
import include_attribute %text
class* record_decl name
macro pp_define lhs.name
function fun_decl clause.name
type type_alias name.name|name
type opaque name.name|name
type callback %header
""",
    "haskell": """
pass imports declarations class_declarations instance_declarations
import import module
function function name
function bind name|%header
function signature name|names|%header
class* data_type name
class* newtype name
interface* class name
impl* instance %header
type type_synomym name
""",
    "elm": """
package module_declaration name
import import_clause moduleName
function value_declaration functionDeclarationLeft.#lower_case_identifier
type* type_declaration name
type* type_alias_declaration name
""",
    "ocaml": """
import open_module %after_keyword
function value_definition %ocaml
namespace* module_definition #module_binding.#module_name
namespace* module_type_definition #module_type_name
type* type_definition #type_binding.name
type exception_definition #constructor_declaration.#constructor_name
class* class_definition #class_binding.#class_name
function external #value_name
function value_specification #value_name
""",
    "ocaml_interface": "like ocaml",
    "fsharp": """
wrap declaration_expression
namespace* named_module name
namespace* module_defn #identifier
namespace* namespace name
import import_decl #long_identifier
function function_or_value_defn %fsharp
function member_defn %header
type* type_definition %fsharp_type
""",
    "clojure": """
function list_lit %clojure
""",
    "zig": """
function Decl %zig
test TestDecl #STRINGLITERALSINGLE|#IDENTIFIER|=test
field ContainerField %first_word
""",
    "nim": """
wrap type_section const_section var_section let_section
import import_statement %after_keyword
import import_from_statement %text
function proc_declaration name.#identifier|name
function func_declaration name.#identifier|name
function method_declaration name.#identifier|name
function iterator_declaration name.#identifier|name
function template_declaration name.#identifier|name
macro macro_declaration name.#identifier|name
function converter_declaration name.#identifier|name
type* type_declaration %first_word
variable variable_declaration %first_word
field field_declaration %first_word
""",
    "solidity": """
import import_directive %text
class* contract_declaration name
class* library_declaration name
interface* interface_declaration name
class* struct_declaration name
enum* enum_declaration name
function function_definition name
function constructor_definition =constructor
function modifier_definition name
field state_variable_declaration name
field struct_member name
type event_definition name
type error_declaration name
""",
    "vim": """
function function_definition #function_declaration.name
variable let_statement %vim_let
""",
    "bash": """
function function_definition name
variable variable_assignment name
variable declaration_command #variable_assignment.name|%text
""",
    "fish": """
function function_definition name
variable command %fish
""",
    "powershell": """
pass statement_list
wrap pipeline pipeline_chain
function function_statement #function_name
class* class_statement #simple_name
enum* enum_statement #simple_name
field enum_member #simple_name
field class_property_definition #variable
function class_method_definition #simple_name
variable assignment_expression #left_assignment_expression
call command %call
key hash_entry #key_expression
""",
    "css": """
rule* rule_set %selector
rule* media_statement %prelude
rule* supports_statement %prelude
rule* keyframes_statement %prelude
rule* keyframe_block %prelude
rule* at_rule %prelude
import import_statement %text
field declaration #property_name
""",
    "scss": """
like css
function mixin_statement name
function function_statement name
rule* if_statement %prelude
rule* else_clause %prelude
rule* each_statement %prelude
rule* include_statement %prelude
import use_statement %text
import forward_statement %text
""",
    "html": _MARKUP,
    "vue": _MARKUP,
    "svelte": _MARKUP,
    "astro": _MARKUP,
    "xml": """
pass content
element* element %xml
""",
    "yaml": """
pass document block_node block_mapping block_sequence
key* block_mapping_pair key
key* flow_pair key
item* block_sequence_item %yaml_item
""",
    "json": """
key pair key
item object %item
""",
    "toml": """
section* table %toml
section* table_array_element %toml
key pair #bare_key|#quoted_key|#dotted_key
""",
    "ini": """
section* section #section_name.#text
key setting #setting_name
""",
    "properties": """
key property #key
""",
    "hcl": """
pass body
section* block %hcl
key attribute #identifier
key object_elem key
""",
    "nix": """
pass binding_set attrset_expression
key binding attrpath
import inherit %text
""",
    "sql": """
wrap statement
type* create_table #object_reference
type create_view #object_reference
type create_materialized_view #object_reference
function create_function #object_reference
function create_procedure #object_reference
function create_trigger #object_reference
type create_index column|#identifier
type create_type #object_reference
type create_schema #identifier
type create_sequence #object_reference
type alter_table %header
field column_definition name|#identifier
""",
    "markdown": """
section* section %heading
key* minus_metadata =front_matter
""",
    "dockerfile": """
section from_instruction as|#image_spec
call run_instruction =RUN
call cmd_instruction =CMD
call entrypoint_instruction =ENTRYPOINT
call copy_instruction =COPY
call add_instruction =ADD
call workdir_instruction =WORKDIR
call expose_instruction =EXPOSE
call user_instruction =USER
call volume_instruction =VOLUME
call label_instruction =LABEL
call healthcheck_instruction =HEALTHCHECK
variable env_instruction #env_pair.name
variable arg_instruction name
""",
    "make": """
variable variable_assignment name
rule rule #targets
variable define_directive name
import include_directive %text
""",
    "cmake": """
function function_def #function_command.#argument_list.#argument
macro macro_def #macro_command.#argument_list.#argument
call normal_command %cmake
section* if_condition #if_command
""",
    "proto": """
package package #full_ident
import import path
class* message #message_name
enum* enum #enum_name
interface* service #service_name
function rpc #rpc_name
field field #identifier
field oneof_field #identifier
field map_field #identifier
field* oneof #identifier
field enum_field #identifier
""",
    "graphql": """
pass document
wrap definition type_system_definition type_definition executable_definition type_system_extension
wrap type_extension
class* object_type_definition #name
class* object_type_extension #name
class* input_object_type_definition #name
interface* interface_type_definition #name
enum* enum_type_definition #name
type union_type_definition #name
type scalar_type_definition #name
type directive_definition #name
function operation_definition #name|#operation_type
function fragment_definition #fragment_name
field field_definition #name
field input_value_definition #name
field enum_value_definition #enum_value
class* schema_definition =schema
""",
    "prisma": """
class* model_block #identifier
enum* enum_block #identifier
section* datasource_block #identifier
section* generator_block #identifier
field model_field field_name
field enum_block/identifier %squeezed
""",
    "gleam": """
import import module
function function name
type* type_definition #type_name.name
variable constant name
""",
}

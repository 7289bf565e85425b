"""In: the arguments of `vllm serve`. Out: vLLM's own server, in this process.

vLLM's command line asks for the version of a package named vllm, which its build for processors is not.
"""


def main() -> None:
    # Here, because each process that the server starts reads this file anew.
    from vllm.entrypoints.cli.serve import ServeSubcommand
    from vllm.entrypoints.serve.utils.api_utils import cli_env_setup
    from vllm.logger import configure_logging_from_args
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    cli_env_setup()
    command, parser = ServeSubcommand(), FlexibleArgumentParser(prog="redraft")
    command.subparser_init(parser.add_subparsers(dest="subparser"))
    arguments = parser.parse_args()
    configure_logging_from_args(arguments)
    command.validate(arguments)
    command.cmd(arguments)


if __name__ == "__main__":
    main()

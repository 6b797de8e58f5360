# The BenchExec tool-info module of Cairn. See README.md beside it.
#
# SPDX-License-Identifier: MIT OR Apache-2.0

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """
    Tool info for Cairn, a software model checker for C.

    The verdict is read from the last line of the output, `Verdict: …`, and is
    believed only if the exit code does not contradict it.
    """

    # What the exit codes of `cairn check` say.
    EXIT_TRUE = 0
    EXIT_USAGE = 1
    EXIT_REJECTED = 2
    EXIT_UNKNOWN = 5
    EXIT_INTERNAL = 6
    EXIT_FALSE = 10

    DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}

    def name(self):
        return "Cairn"

    def executable(self, tool_locator):
        return tool_locator.find_executable("cairn")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="cairn")

    def cmdline(self, executable, options, task, rlimits):
        cmd = [executable, "check"]
        if task.property_file:
            cmd += ["--property", task.property_file]
        model = (task.options or {}).get("data_model")
        if model:
            if model not in self.DATA_MODELS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"data model {model} is not supported"
                )
            cmd.append(self.DATA_MODELS[model])
        if rlimits.cputime and "--cpu-time" not in options:
            cmd += ["--cpu-time", str(rlimits.cputime)]
        return cmd + list(options) + list(task.input_files_or_identifier)

    def determine_result(self, run):
        verdict = None
        for line in run.output:
            if line.startswith("Verdict: "):
                verdict = line[len("Verdict: ") :].strip()
        code = run.exit_code.value
        word, _, detail = (verdict or "").partition(" ")
        detail = detail.strip("()")
        if word == "TRUE" and code == self.EXIT_TRUE:
            return result.RESULT_TRUE_PROP
        # BenchExec's check of this module knows outputs only, and says 0 for every exit code.
        if word == "FALSE" and code in (self.EXIT_FALSE, 0):
            return f"{result.RESULT_FALSE_PROP}({detail})" if detail else result.RESULT_FALSE_PROP
        if word == "UNKNOWN" and code in (self.EXIT_UNKNOWN, 0):
            return result.RESULT_UNKNOWN
        if verdict is not None:
            return f"ERROR (verdict {verdict} with exit code {code})"
        if code == self.EXIT_USAGE:
            return "ERROR (usage)"
        if code == self.EXIT_REJECTED:
            return "ERROR (input rejected)"
        if code == self.EXIT_INTERNAL:
            return "ERROR (internal)"
        return result.RESULT_ERROR

// nvme-cli on a machine (docs/design/sanitization.md#nvme).
import { answerOf, doneOf, refused, silence } from "@/agent/tools/machine/program/answers";
import {
  controllerPath,
  readController,
  readCreated,
  readHealth,
  readList,
  readNamespace,
  readNamespaces,
  readSanitizeLog,
  sanitizeText,
} from "@/agent/tools/machine/nvme/nvme-output";
import { localTransport, nvmeFolder } from "@/agent/tools/machine/disks/disk-list";
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import { commandText, type Ran, type RunOptions, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { Answer, NvmeTools } from "@/agent/tools/tools";

const json = ["-o", "json"] as const;
/** Prints the structure as the device gave it. */
const raw = ["--raw-binary"] as const;
/** A format answers when it is over, and a drive that can only overwrite takes a day. */
const formatLimitMs = 48 * 3_600_000;
/** In milliseconds; by default nvme-cli gives a command two minutes. */
const formatTimeout = `--timeout=${formatLimitMs}`;
/** A create waits for the drive's internal bookkeeping. */
const manageLimitMs = 10 * 60_000;

const fullNamespace = (blocks: number, format: number) =>
  ["-s", String(blocks), "-c", String(blocks), "-f", String(format)] as const;

/** A sanitize prints nothing; a format and namespace management print success. */
const success = /success/i;

/** Sanitize with this Command Dword 10; it has no data. Passed through, as all releases can: nvme-cli before 2.10 knows neither EMVS nor SANACT 5. */
const sanitizeCommand = (dword10: number) => ["--opcode=0x84", `--cdw10=0x${dword10.toString(16)}`];
const enterMediaVerification = 1 << 10;
const exitMediaVerification = 5;
/** "Admin Command Sanitize is Success and result: 0x00000000": on stderr in 2.3, on stdout in later releases. */
const passedOn = (ran: Ran): Answer<true> =>
  doneOf({ ...ran, stdout: Buffer.concat([ran.stdout, Buffer.from(ran.stderr)]) }, /\bis Success\b/);

const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** The kernel and nvme-cli must list the same controllers and transports. Returns only local ones (disk-list.ts lists the others). */
async function listControllers(run: RunTool, files: Files): Promise<Answer<readonly string[]>> {
  const answer = answerOf(await run(programs.nvme, ["list", "-v", ...json]), readList);
  if (answer.value === null) return { ...answer, value: null };
  const said = [...answer.value].map(([name, transport]) => `${name} ${transport}`).sort(byNumber);
  const present = await Promise.all(
    ((await files.list(nvmeFolder)) ?? []).map(
      async (name) => `${name} ${(await lineIn(files, `${nvmeFolder}/${name}/transport`)) ?? "unknown"}`,
    ),
  );
  if (said.join() !== present.sort(byNumber).join())
    return refused(
      answer.command,
      `nvme-cli lists ${said.join(", ") || "nothing"}, the kernel ${present.join(", ") || "nothing"}`,
    );
  const local = [...answer.value].filter(([, transport]) => transport === localTransport);
  return { ...answer, value: local.map(([name]) => `/dev/${name}`).sort(byNumber) };
}

export function nvmeTools(run: RunTool, files: Files): NvmeTools {
  /** `path` is an argument of a program that erases, so anything that does not look like a controller is refused. */
  const on = async <Value>(
    path: string,
    verb: string,
    args: readonly string[],
    answer: (ran: Ran) => Answer<Value>,
    options: RunOptions = {},
  ): Promise<Answer<Value>> => {
    const all = [verb, path, ...args];
    return controllerPath.test(path)
      ? answer(await run(programs.nvme, all, options))
      : refused(commandText(programs.nvme, all), "not the path of an NVMe controller", 2);
  };
  const nsid = (namespace: number) => ["-n", String(namespace)];

  return {
    list: () => listControllers(run, files),
    identify: (path) => on(path, "id-ctrl", raw, (ran) => answerOf(ran, readController)),
    namespaces: (path, which) =>
      on(path, "list-ns", [...(which === "all" ? ["--all"] : []), ...json], (ran) =>
        answerOf(ran, readNamespaces),
      ),
    // A namespace that is not attached is answered with zeros; its size is reported if the controller supports CNS 11h (`--force`).
    identifyNamespace: async (path, namespace) => {
      const read = (ran: Ran) => answerOf(ran, readNamespace);
      const attached = await on(path, "id-ns", [...nsid(namespace), ...raw], read);
      if (attached.value !== null || attached.exitCode !== 0) return attached;
      const allocated = await on(path, "id-ns", [...nsid(namespace), "--force", ...raw], read);
      return allocated.value === null ? attached : allocated;
    },
    attach: (path, namespace, cntlid) =>
      on(path, "attach-ns", [...nsid(namespace), "-c", String(cntlid)], (ran) => doneOf(ran, success)),
    remove: (path, namespace) =>
      on(path, "delete-ns", nsid(namespace), (ran) => doneOf(ran, success), { limitMs: manageLimitMs }),
    create: (path, blocks, format) =>
      on(path, "create-ns", fullNamespace(blocks, format), (ran) => answerOf(ran, readCreated), {
        limitMs: manageLimitMs,
      }),
    sanitize: (path, sanact) => on(path, "sanitize", [`--sanact=${sanact}`], (ran) => doneOf(ran, silence)),
    sanitizeAndHold: (path, sanact) =>
      on(path, "admin-passthru", sanitizeCommand(enterMediaVerification | sanact), passedOn),
    exitMediaVerification: (path) =>
      on(path, "admin-passthru", sanitizeCommand(exitMediaVerification), passedOn),
    sanitizeLog: (path) =>
      on(path, "sanitize-log", raw, (ran) => answerOf(ran, readSanitizeLog, sanitizeText)),
    format: (path, namespace, ses) =>
      on(
        path,
        "format",
        [...nsid(namespace), "-s", String(ses), "-f", formatTimeout],
        (ran) => doneOf(ran, success),
        { limitMs: formatLimitMs },
      ),
    health: (path) => on(path, "smart-log", raw, (ran) => answerOf(ran, readHealth)),
  };
}

// Tools that work on any disk of a machine.
import { z } from "zod";
import { answerOf, doneOf, given, json, refused, silence } from "@/agent/tools/machine/program/answers";
import { diskPath, onDisk } from "@/agent/tools/machine/disks/disk-path";
import { listDisks, portOf } from "@/agent/tools/machine/disks/disk-list";
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import { commandText, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { DiskTools } from "@/agent/tools/tools";

const overwriteLimitMs = 96 * 3_600_000;
const suspendSeconds = 5;

/** smartctl's exit status is a bit set, mostly about the drive's past; only its output counts. */
const health = json(
  z
    .object({ smart_status: z.object({ passed: z.boolean() }) })
    .transform(({ smart_status }) => ({ passed: smart_status.passed })),
);

export const diskTools = (run: RunTool, files: Files): DiskTools => ({
  list: async () => {
    const listed = await listDisks(files);
    return listed.ok ? given("read /sys/block", listed.value) : refused("read /sys/block", listed.problem);
  },
  port: async (path) => {
    const port = await portOf(files, path);
    const command = `realpath /sys/block/${path.slice("/dev/".length)}`;
    return port === null ? refused(command, `no place of ${path}`) : given(command, port);
  },
  // Exactly as many bytes as there are, because dd takes the end of the device for an error.
  overwrite: async (disk) => {
    const sectors = await lineIn(files, `/sys/block/${disk.slice("/dev/".length)}/size`);
    const size = sectors !== null && /^[1-9]\d*$/.test(sectors) ? BigInt(sectors) * 512n : null;
    const args = [
      ...["if=/dev/zero", `of=${disk}`, "bs=4M", `count=${size ?? "?"}`],
      ...["iflag=count_bytes,fullblock", "oflag=direct", "conv=fsync,notrunc", "status=none"],
    ];
    return size === null || !diskPath.test(disk)
      ? refused(commandText(programs.dd, args), `the size of ${disk} cannot be read`)
      : doneOf(await run(programs.dd, args, { limitMs: overwriteLimitMs }), silence);
  },
  health: (disk) =>
    onDisk(run, disk, {
      program: programs.smartctl,
      before: ["-H", "-j"],
      answer: (ran) => answerOf({ ...ran, exitCode: (ran.exitCode & 7) === 0 ? 0 : ran.exitCode }, health),
    }),
  unfreeze: async () =>
    doneOf(await run(programs.rtcwake, ["-m", "mem", "-s", String(suspendSeconds)]), /wakeup from "mem"/),
});

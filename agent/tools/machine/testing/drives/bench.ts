// Drives on a bench, below the real tool code, which runs programs, reads sysfs and opens block devices; the drives answer
// (docs/adr/0075-drives-below-the-tool-code.md).
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import type { JournalEvent } from "@/agent/steps/results";
import type { Reporter, Step, StepOutcome } from "@/agent/steps/step";
import type { OpenBlocks } from "@/agent/tools/machine/blocks/block-tools";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import type { Files } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import { commandText, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { ProgramAnswer, TestDrive } from "@/agent/tools/machine/testing/drives/drive";
import { NvmeDrive } from "@/agent/tools/machine/testing/drives/nvme-drive";
import { NvmePath } from "@/agent/tools/machine/testing/drives/nvme-path";
import { pciFunction, treeOf } from "@/agent/tools/machine/testing/recorded";

const controller = pciFunction("0000:00:1f.2", "0x010601");
const encoder = new TextEncoder();

/** An error as node:fs throws it. */
const codedError = (code: string): Error => Object.assign(new Error(`${code}: i/o error`), { code });

export interface Erased {
  readonly outcome: StepOutcome;
  readonly journal: readonly JournalEvent[];
}

export class Bench {
  nowMs = Date.parse("2026-11-23T00:00:00Z");
  readonly drives: TestDrive[] = [];
  /** Every program that was run, as in the evidence. */
  readonly commands: string[] = [];
  /** The server's answer to what must be stored before a command is sent. */
  goOn = true;
  /** Each drive's remaining time as last reported to the server; null: unknown, so no power action is permitted. */
  readonly remaining = new Map<string, number | null>();
  /** Replaces a program's output. */
  spoil: (ran: Ran) => Ran = (ran) => ran;
  /** Called before each pause; throwing here ends the agent as a loss of power does. */
  pausing: () => void = () => undefined;

  readonly now = (): number => this.nowMs;

  add<Drive extends TestDrive>(drive: Drive): Drive {
    this.drives.push(drive);
    return drive;
  }

  readonly run: RunTool = (path, args) => {
    const command = commandText(path, args);
    this.commands.push(command);
    const said = this.#answer(path, args);
    const stdout = typeof said.stdout === "string" ? encoder.encode(said.stdout) : said.stdout;
    const printed = { stdout: stdout ?? new Uint8Array(), stderr: said.stderr ?? "", cut: false };
    return Promise.resolve(this.spoil({ command, exitCode: said.exitCode ?? 0, ...printed }));
  };

  #answer(path: string, args: readonly string[]): ProgramAnswer {
    if (path === programs.nvme && args[0] === "list") return { stdout: this.#list() };
    const answers = this.drives.map((drive) => drive.run(path, args));
    if (path === programs.rtcwake) return { stdout: 'rtcwake: wakeup from "mem" using /dev/rtc0\n' };
    return answers.find((said) => said !== null) ?? { exitCode: 127, stderr: "no such program or device\n" };
  }

  #list(): string {
    const there = this.drives.filter((drive) => drive instanceof NvmeDrive || drive instanceof NvmePath);
    const Subsystems = there
      .filter(({ faults }) => faults.gone !== true)
      .map(({ options: { name, serial } }) => ({
        Subsystem: name.replace("nvme", "nvme-subsys"),
        Controllers: [{ Controller: name, SerialNumber: serial, Transport: "pcie" }],
      }));
    return JSON.stringify({ Devices: [{ Subsystems }] }, null, 2);
  }

  #tree(): Files {
    const files = Object.assign({}, controller.content, ...this.drives.map((drive) => drive.files)) as Record<
      string,
      string
    >;
    const links = Object.assign({}, controller.links, ...this.drives.map((drive) => drive.links)) as Record<
      string,
      string
    >;
    return treeOf({ "/sys/block/loop0/size": "0\n", ...files }, links);
  }

  readonly files: Files = {
    read: (path) => this.#tree().read(path),
    list: (path) => this.#tree().list(path),
    real: (path) => this.#tree().real(path),
    write: () => Promise.resolve("nothing is written here"),
  };

  readonly open: OpenBlocks = (path, _blockBytes, access) => {
    const drive = this.drives.find(({ blockDevices }) => blockDevices.has(path));
    const medium = drive?.blockDevices.get(path);
    if (drive === undefined || medium === undefined) return Promise.reject(codedError("ENXIO"));
    const check = (block: number) => {
      const fault = drive.fault(access, block);
      if (fault !== null) throw codedError(fault);
    };
    return Promise.resolve({
      // As in DirectFile: a read error of the medium is about the block.
      read: async (block) => {
        if (drive.fault("read", block) === "EIO") return null;
        check(block);
        return medium.read(block);
      },
      write: async (block, content) => {
        check(block);
        medium.write(block, content);
      },
      close: () => Promise.resolve(),
    });
  };

  powerLoss(ms: number): void {
    this.nowMs += ms;
    for (const drive of this.drives) drive.powerLoss(ms);
  }

  /** Runs one erase step as the agent does: with its own tools, and a server that stores what it is told. */
  async erase(
    step: Step,
    erase: Partial<ExecuteCommand["erase"]> & Pick<ExecuteCommand["erase"], "techniques">,
    more: Partial<ExecuteCommand> = {},
    told: JournalEvent[] = [],
  ): Promise<Erased> {
    const tools = await machineTools(this.run, this.files, this.open);
    const reporter: Reporter = {
      note: ({ journal = [] }) => void told.push(...journal),
      erases: (serial, remainingMs) => void this.remaining.set(serial, remainingMs),
      acknowledge: () => Promise.resolve({ goOn: this.goOn }),
    };
    const sleep = (ms: number): Promise<void> => {
      this.nowMs += ms;
      this.pausing();
      return Promise.resolve();
    };
    const command: ExecuteCommand = {
      ...{ kind: "execute", id: "1", stepRunId: "7e57ab1e-0000-4000-8000-000000000001", attempt: 1 },
      ...{ interface: step.interface, step: step.step, args: {}, devices: [], journal: [] },
      erase: {
        fallback: true,
        samplesPerDevice: 40,
        markersPerDevice: 8,
        noProgressTimeoutMs: 60_000,
        ...erase,
      },
      deadline: "2027-01-01T00:00:00Z",
      ...more,
    };
    let seed = 0;
    const outcome = await step.run({
      command,
      tools,
      clock: { now: () => new Date(this.nowMs), sleep },
      chance: { bytes: (count) => Buffer.alloc(count, `chance ${(seed += 1)}, ${told.length} `) },
      log: () => undefined,
      reporter,
      finished: [],
      aborted: new AbortController().signal,
    });
    return { outcome, journal: told };
  }
}

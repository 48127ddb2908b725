// What a running step reports to the server: collected, sent when it must be acknowledged, and otherwise sent as a heartbeat.
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import type { Server } from "@/agent/protocol/server";
import { clip, type JournalEvent } from "@/agent/steps/results";
import type { DeviceProgress, Reporter } from "@/agent/steps/step";
import type { Clock } from "@/agent/surroundings";

/** Maximum bytes of journal in one call, below the protocol's body limit. */
const journalPieceBytes = 700_000;

export class StepReporter implements Reporter {
  #sequence = 0;
  #message = "";
  #percent = 0;
  #unstoppable = false;
  #sentAt: number;
  readonly #devices = new Map<string, DeviceProgress>();
  #journal: JournalEvent[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  readonly #server: Server;
  readonly #command: ExecuteCommand;
  readonly #clock: Clock;
  /** Fires when the server refuses a report or asks to abort. */
  readonly #abort: AbortController;

  constructor(server: Server, command: ExecuteCommand, clock: Clock, abort: AbortController) {
    this.#server = server;
    this.#command = command;
    this.#clock = clock;
    this.#abort = abort;

    this.#sentAt = clock.now().getTime();
  }

  /** A drive is still erasing, or does not report. */
  get erasing(): boolean {
    return [...this.#devices.values()].some(({ remainingMs }) => remainingMs !== 0);
  }

  /** A technique that cannot be stopped was started, or may have been. */
  get unstoppable(): boolean {
    return this.#unstoppable;
  }

  erases(serial: string, remainingMs: number | null): void {
    this.#devices.set(serial, { percent: 0, status: "", ...this.#devices.get(serial), serial, remainingMs });
  }

  note(update: Parameters<Reporter["note"]>[0]): void {
    if (update.device) this.#devices.set(update.device.serial, update.device);
    if (update.message !== undefined) this.#message = update.message;
    if (update.percent !== undefined) this.#percent = update.percent;
    // Stays true once set, because another device may be in the middle of it.
    this.#unstoppable ||= update.unstoppable ?? false;
    if (update.journal) this.#journal.push(...update.journal);
  }

  /** One call at a time, because their sequence numbers must be in order. */
  acknowledge(): Promise<{ goOn: boolean }> {
    const mine = this.#turn.then(() => this.#sendAll());
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Lines that no call has carried yet, to be sent with the result. */
  takeJournal(): JournalEvent[] {
    return this.#journal.splice(0);
  }

  /** Sends a report whenever none was sent for `heartbeatMs`, until the signal fires. */
  async beat(heartbeatMs: number, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const sinceMs = this.#clock.now().getTime() - this.#sentAt;
      if (sinceMs >= heartbeatMs) await this.acknowledge();
      else await this.#clock.sleep(heartbeatMs - sinceMs, over);
    }
  }

  async #sendAll(): Promise<{ goOn: boolean }> {
    let goOn = await this.#sendPiece();
    while (goOn && this.#journal.length > 0) goOn = await this.#sendPiece();
    return { goOn };
  }

  async #sendPiece(): Promise<boolean> {
    const journal = this.#nextPiece();
    const devices = [...this.#devices.values()];
    const percent =
      devices.length === 0
        ? this.#percent
        : devices.reduce((sum, device) => sum + device.percent, 0) / devices.length;
    this.#sequence += 1;
    this.#sentAt = this.#clock.now().getTime();
    const { attempt, stepRunId } = this.#command;
    const reply = await this.#server.progress(stepRunId, {
      attempt,
      sequence: this.#sequence,
      percent,
      message: clip(this.#message),
      devices,
      journal,
      unstoppable: this.#unstoppable,
    });
    if (reply.kind === "answer") {
      if (reply.value.abort) this.#abort.abort();
      return !reply.value.abort;
    }
    this.#journal.unshift(...journal);
    this.#abort.abort();
    return false;
  }

  #nextPiece(): JournalEvent[] {
    let bytes = 0;
    let count = 0;
    for (const event of this.#journal) {
      bytes += 500 + (event.digests?.length ?? 0) * 15;
      if (count > 0 && bytes > journalPieceBytes) break;
      count += 1;
    }
    return this.#journal.splice(0, count);
  }
}

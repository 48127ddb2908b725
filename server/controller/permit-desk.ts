// Gathers the permits that effects ask for at the same moment into one statement (design: datapath.md, Effects).
import type { HotDatabase } from "@/server/db/hot/pool";
import { permitEffects } from "@/server/db/hot/effects";
import type { PermitQuestion } from "@/server/db/hot/effects";

interface Waiting {
  readonly question: PermitQuestion;
  readonly answer: (permitted: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * One statement is under way at a time; what is asked for meanwhile goes into the next. Nobody is told yes before the statement that says so has
 * ended, so a permit is as fresh as one that is asked for alone.
 */
export class PermitDesk {
  private waiting: Waiting[] = [];
  private open = false;

  constructor(private readonly database: HotDatabase, private readonly controllerId: string) {}

  /** Whether this request may be sent now. Throws when the database cannot be asked: then it may not. */
  ask(question: PermitQuestion): Promise<boolean> {
    return new Promise((answer, fail) => {
      this.waiting.push({ question, answer, fail });
      if (this.open) return;
      this.open = true;
      setImmediate(() => void this.serve());
    });
  }

  private async serve(): Promise<void> {
    while (this.waiting.length > 0) await this.answer(this.next());
    this.open = false;
  }

  /** At most one question per host: a second one is about the row that the first one changes, and waits for the next statement. */
  private next(): readonly Waiting[] {
    const batch = new Map<string, Waiting>();
    const later: Waiting[] = [];
    for (const item of this.waiting) {
      if (batch.has(item.question.hostId)) later.push(item);
      else batch.set(item.question.hostId, item);
    }
    this.waiting = later;
    // Statements that lock many hosts do so in the same order, or they wait for each other.
    return [...batch.values()].sort((a, b) => (a.question.hostId < b.question.hostId ? -1 : 1));
  }

  /** A batch that fails is asked again one by one, so that one host's trouble is no other's. Never throws. */
  private async answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const permitted = await permitEffects(this.database, this.controllerId, batch.map(({ question }) => question));
      for (const { question, answer } of batch) answer(permitted.has(question.effectId));
    } catch (error) {
      if (batch.length === 1) batch[0]?.fail(error);
      else for (const item of batch) await this.answer([item]);
    }
  }
}

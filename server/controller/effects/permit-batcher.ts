// Batches permits that effects request at the same moment into one statement (docs/design/datapath.md#effects).
import type { HotDatabase } from "@/server/db/hot/pool";
import { permitEffects } from "@/server/db/hot/hardware/effects";
import type { PermitQuestion } from "@/server/db/hot/hardware/effects";
import { Gather } from "@/server/db/hot/gather";

/** One statement is in progress at a time; later requests go into the next one. A batched permit is as fresh as one requested alone. */
export class PermitBatcher {
  readonly #gather: Gather<PermitQuestion, boolean>;

  constructor(database: HotDatabase, controllerId: string) {
    const permitted = async (questions: readonly PermitQuestion[]): Promise<readonly boolean[]> => {
      const granted = await permitEffects(database, controllerId, questions);
      return questions.map(({ effectId }) => granted.has(effectId));
    };
    this.#gather = new Gather(permitted, {
      key: ({ hostId }) => hostId,
      paceMs: 0,
      maxUnderWay: 1,
    });
  }

  /** Whether this request may be sent now. Throws if the database cannot be asked; then it may not be sent. */
  ask(question: PermitQuestion): Promise<boolean> {
    return this.#gather.ask(question);
  }
}

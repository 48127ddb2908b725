// Gathers the permits that effects ask for at the same moment into one statement (docs/design/datapath.md#effects).
import type { HotDatabase } from "@/server/db/hot/pool";
import { permitEffects } from "@/server/db/hot/hardware/effects";
import type { PermitQuestion } from "@/server/db/hot/hardware/effects";
import { Gather } from "@/server/db/hot/gather";

/** One statement is under way at a time; what is asked for meanwhile goes into the next. A permit is as fresh as one that is asked for alone. */
export class PermitDesk {
  readonly #gather: Gather<PermitQuestion, boolean>;

  constructor(database: HotDatabase, controllerId: string) {
    const permitted = async (questions: readonly PermitQuestion[]): Promise<readonly boolean[]> => {
      const granted = await permitEffects(database, controllerId, questions);
      return questions.map(({ effectId }) =>
        /* safety: permit: each host by its own answer → granted.size > 0 */ granted.has(effectId),
      );
    };
    this.#gather = new Gather(permitted, {
      /* safety: permit: one question per host and statement */ key: ({ hostId }) => hostId,
      paceMs: 0,
      mostUnderWay: 1,
    });
  }

  /** Whether this request may be sent now. Throws when the database cannot be asked: then it may not. */
  ask(question: PermitQuestion): Promise<boolean> {
    return this.#gather.ask(question);
  }
}

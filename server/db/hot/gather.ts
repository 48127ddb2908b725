// Batches concurrent requests of one kind into one statement, so that many machines at once cost the database one query (docs/design/datapath.md#budget).
import { DatabaseError } from "pg";
import type { QueryResultRow } from "pg";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

export interface GatherOptions<Question> {
  /** Two questions with the same key never share a statement. Without it they may, and the statement decides what happens to the second. */
  readonly key?: (question: Question) => string;
  /** Minimum time between the starts of two statements, unless there are enough questions for one. A question that comes later than that is sent at once. */
  readonly paceMs: number;
  /** Maximum concurrent statements, so that one that waits for a locked host does not hold up all others. */
  readonly maxUnderWay: number;
}

/** Maximum questions per statement. */
const maxBatch = 64;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** The database works but refuses the input (SQLSTATE classes 22 and 23): retrying is pointless. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.code?.startsWith("22") === true || error.code?.startsWith("23") === true)
  );
}

/**
 * Questions that arrive while a statement runs, or shortly after one started, go into the next. A question is answered by a statement that
 * started after it was asked, so the answer is as fresh as that of a statement of its own.
 */
export class Gather<Question, Answer> {
  #waiting: Waiting<Question, Answer>[] = [];
  #planned: (() => void) | null = null;
  #underWay = 0;
  #beganAt = -Infinity;

  readonly #statement: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #options: GatherOptions<Question>;

  /** `statement` returns the answers in the order of the questions. */
  constructor(
    statement: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    options: GatherOptions<Question>,
  ) {
    this.#statement = statement;
    this.#options = options;
  }

  /** Throws what the statement throws. A question that the database refuses fails alone. */
  ask(question: Question): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ question, answer, fail });
      this.#plan();
    });
  }

  #plan(): void {
    const enough = this.#waiting.length >= maxBatch;
    if (
      this.#waiting.length === 0 ||
      this.#underWay >= this.#options.maxUnderWay ||
      (this.#planned !== null && !enough)
    )
      return;
    this.#planned?.();
    const begin = (): void => {
      this.#planned = null;
      void this.#serve();
    };
    const waitMs = enough ? 0 : this.#beganAt + this.#options.paceMs - performance.now();
    if (waitMs > 0) {
      const timer = setTimeout(begin, waitMs);
      this.#planned = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(begin);
      this.#planned = () => clearImmediate(immediate);
    }
  }

  async #serve(): Promise<void> {
    const batch = this.#next();
    this.#beganAt = performance.now();
    this.#underWay += 1;
    this.#plan();
    await this.#answer(batch);
    this.#underWay -= 1;
    this.#plan();
  }

  #next(): readonly Waiting<Question, Answer>[] {
    const { key } = this.#options;
    if (key === undefined) return this.#waiting.splice(0, maxBatch);
    const batch = new Map<string, Waiting<Question, Answer>>();
    const later: Waiting<Question, Answer>[] = [];
    for (const item of this.#waiting) {
      const of = key(item.question);
      if (batch.size === maxBatch || batch.has(of)) later.push(item);
      else batch.set(of, item);
    }
    this.#waiting = later;
    return [...batch.values()];
  }

  /** If a batch is refused, its questions are retried one by one, so that one machine's invalid input does not affect the others. Never throws. */
  async #answer(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#statement(batch.map(({ question }) => question));
      // safety: gather: nobody gets the answer of another
      if (answers.length !== batch.length)
        throw new Error(`${batch.length} questions have ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) batch[index]?.answer(answer);
    } catch (error) {
      // safety: gather: one that is refused fails alone
      if (batch.length > 1 && isRefusal(error)) for (const item of batch) await this.#answer([item]);
      else for (const { fail } of batch) fail(error);
    }
  }
}

/** Too short for a person to notice, and long enough that a busy fleet shares its statements. */
const machinesPaceMs = 25;

/**
 * Declares a statement for many requests of machines. `$1` is a JSON list of requests, each with `n`; each answer row carries the `n` of its
 * request, and a request without a row is answered with undefined. The same machine may appear twice in a list, and its statement decides what
 * happens then: keeping such requests apart would let anybody delay a machine's queue forever. The returned function sends one request.
 */
export function gathered<Row extends QueryResultRow, Question extends object>(
  name: string,
  text: string,
): (database: HotDatabase, question: Question) => Promise<Row | undefined> {
  const statement = named<Row & { readonly n: number }, [questions: string]>(name, text);
  const gathers = new WeakMap<HotDatabase, Gather<Question, Row | undefined>>();
  const gatherOf = (database: HotDatabase): Gather<Question, Row | undefined> => {
    let gather = gathers.get(database);
    if (gather === undefined) {
      gather = new Gather<Question, Row | undefined>(
        async (questions) => {
          const rows = new Map<number, Row>(
            (
              await statement(database, JSON.stringify(questions.map((question, n) => ({ n, ...question }))))
            ).map((row) => [row.n, row]),
          );
          return questions.map((_, n) => rows.get(n));
        },
        { paceMs: machinesPaceMs, maxUnderWay: 4 },
      );
      gathers.set(database, gather);
    }
    return gather;
  };
  return (database, question) => gatherOf(database).ask(question);
}

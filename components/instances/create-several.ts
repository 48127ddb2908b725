// Creates several instances, told apart by a number. Sent again after a refusal, it goes on where it stopped.
import { problemOf, ShownError, unanswered } from "@/components/trpc/query-client";
import { formatList } from "@/server/domain/numbers";

/** What was sent under one name while the dialog is open. */
interface Sent {
  readonly made: string[];
  next: number;
  /** Its request was not answered, so that it may have been created. */
  lost: string | null;
}
export type SentNames = Map<string, Sent>;

/** How many of them are still to be created; null: not known, because the answer for one was lost. */
export const leftOf = (sent: Sent | undefined, count: number): number | null =>
  sent === undefined ? count : sent.lost === null ? count - sent.made.length : null;

/** Numbers that are taken are passed, up to this one. */
const highest = 999;

/** Neither a server that failed nor a gateway that gave up knows. It counts only if the name then exists. */
const isLost = ({ words, status }: ReturnType<typeof problemOf>): boolean =>
  words === unanswered || (status ?? 0) >= 500;

function stopped({ made }: Sent, each: string, problem: ReturnType<typeof problemOf>): ShownError {
  const so =
    made.length === 0
      ? "None was created so far."
      : `${formatList(made)} ${made.length === 1 ? "was" : "were"} created.`;
  return new ShownError(
    isLost(problem)
      ? `${so} The server did not answer for ${each}, which may have been created, too. Send again to go on: nothing is created twice.`
      : `${so} ${each}: ${problem.words} Send again to go on with the others.`,
  );
}

/** One after the other, so that what was created is known when one is refused. @param sent is changed */
export async function createSeveral(
  name: string,
  count: number,
  create: (name: string) => Promise<unknown>,
  sent: SentNames,
): Promise<void> {
  const own: Sent = sent.get(name) ?? { made: [], next: 1, lost: null };
  sent.set(name, own);
  while (own.made.length < count) {
    const each = `${name}-${own.next}`;
    try {
      await create(each);
      own.made.push(each);
    } catch (error) {
      const problem = problemOf(error);
      const isTaken = problem.code === "conflict" && problem.field === "name";
      if (isTaken && own.next >= highest)
        throw new ShownError(
          `All names from ${name}-1 to ${each} that were tried exist. Enter another name.`,
        );
      if (!isTaken) {
        if (isLost(problem)) own.lost = each;
        throw stopped(own, each, problem);
      }
      // Nobody else took the number meanwhile, as far as can be known.
      if (own.lost === each) own.made.push(each);
    }
    own.next += 1;
  }
}

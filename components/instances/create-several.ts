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

/** Numbers that are taken are passed, up to this one. */
const highest = 999;

/** A server or gateway that failed does not know either. */
const isLost = ({ words, status }: ReturnType<typeof problemOf>): boolean =>
  words === unanswered || (status ?? 0) >= 500;

/** How many of so many are certainly not created yet; one that was not answered may be. */
export function missingOf(sent: SentNames, name: string, count: number): number {
  const own = sent.get(name);
  return own === undefined ? count : count - own.made.length - (own.lost === null ? 0 : 1);
}

function madeText({ made }: Sent): string {
  if (made.length === 0) return "None was created so far.";
  return `${formatList(made)} ${made.length === 1 ? "was" : "were"} created.`;
}

const stopped = (own: Sent, each: string, problem: ReturnType<typeof problemOf>): ShownError =>
  new ShownError(
    isLost(problem)
      ? `${madeText(own)} The server did not answer for ${each}, which may have been created, too. Send again to go on: nothing is created twice.`
      : `${madeText(own)} ${each}: ${problem.words} Send again to go on with the others.`,
  );

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
    if (own.next > highest)
      throw new ShownError(
        `${madeText(own)} Every number up to ${name}-${highest} is taken. Choose another name for the others.`,
      );
    const each = `${name}-${own.next}`;
    try {
      await create(each);
      own.made.push(each);
    } catch (error) {
      const problem = problemOf(error);
      const isTaken = problem.code === "conflict" && problem.field === "name";
      if (!isTaken) {
        if (isLost(problem)) own.lost = each;
        throw stopped(own, each, problem);
      }
      // Nobody else took the number meanwhile, as far as can be known.
      if (own.lost === each) own.made.push(each);
    }
    own.lost = null;
    own.next += 1;
  }
}

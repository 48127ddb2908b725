// Which words of an answer say that something is proven, clean or satisfied, though nothing in the database is (cli/standing-walk.itest.ts).
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { isObject } from "@/server/domain/json";
import { standingMeaning } from "@/server/domain/assurance/standing";

/** What may be said of a host that is not proven, and what is said of no host. */
const allowed: readonly RegExp[] = [
  /\b(not|never|nothing was|nobody has|nothing is) (yet )?(proven|clean|satisfied|checked)\b/gi,
  /\bproven with exceptions\b/gi,
  /\bwhat (is|was) proven\b/gi,
  /\bclean steps?\b/gi,
  /\bclean (a|an|the|hosts?|manually|it)\b/gi,
  // A cell of a table on a terminal: the status of one gate, which stands beside its name.
  / {2,}satisfied\b/g,
  // The same in a line of a certificate.
  new RegExp(`\\b(${gateNames.join("|")}): satisfied\\b`, "g"),
  // What the codes mean with which a check of a pack ends.
  /^ *Exit code \d+: every file holds, and .*$/gm,
  // The name of an act in the list of those that a host allows.
  /^clean {2,}/gm,
];

/** Sentences that explain the word itself. */
const explained = [standingMeaning.proven];

const words = /\b(proven|clean|satisfied|nothing to do)\b/gi;

function liesOfText(text: string): readonly string[] {
  let rest = text;
  for (const sentence of explained) rest = rest.replaceAll(sentence, "");
  for (const one of allowed) rest = rest.replaceAll(one, "");
  const found = [...rest.matchAll(words)].map(({ index }) => rest.slice(Math.max(0, index - 60), index + 60));
  const counted = [...rest.matchAll(/\b(\d+) of (\d+) gates?\b/g)];
  return [...found, ...counted.filter(([, of, all]) => of === all).map(([whole]) => whole)];
}

/** A gate's own status, which says of that gate alone what it says. */
const isGate = (value: Readonly<Record<string, unknown>>): boolean => "gate" in value || "gates" in value;

function liesOfValue(path: string, value: unknown): readonly string[] {
  if (typeof value === "string") return liesOfText(value).map((lie) => `${path}: ${lie}`);
  if (Array.isArray(value)) return value.flatMap((one, index) => liesOfValue(`${path}[${index}]`, one));
  // A section of the docs is about no host.
  if (!isObject(value) || (typeof value.path === "string" && value.path.startsWith("/help/"))) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === "status" && one === "satisfied" && isGate(value)) return [];
    if (key === "intent" && one === "clean") return [];
    const counts = /^(proven|clean|satisfied)$/.test(key) && one !== 0 && one !== null && one !== false;
    const whole = key === "satisfied" && one !== value.applying;
    return [
      ...(counts && !whole ? [`${path}.${key} = ${JSON.stringify(one)}`] : []),
      ...liesOfValue(`${path}.${key}`, one),
    ];
  });
}

/** @param text JSON, or what people read */
export function liesIn(text: string): readonly string[] {
  try {
    return liesOfValue("", JSON.parse(text));
  } catch {
    return liesOfText(text);
  }
}

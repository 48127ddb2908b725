// Pages by what can be read or done there: the titles of the contract's operations, which the API and the command line show, too.
import { reachOf } from "@/server/domain/access/access";
import { contract } from "@/server/contract/contract";
import type { Operation } from "@/server/contract/define";
import type { FoundPlace } from "@/server/contract/fleet/search-answers";
import { pages, routes } from "@/server/domain/console/routes";
import { placesOf } from "@/server/domain/console/subpages";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { isTyped } from "@/server/domain/console/typed";
import { shownPages } from "@/server/usecases/access/session/shown-pages";
import type { Actor } from "@/server/usecases/actor";

const most = 6;

/** The page with the operations of a noun; null: they are on the page of a thing, or of every page. */
const pageOf = {
  session: null,
  next: routes.next(),
  fleet: routes.fleet(),
  hosts: routes.hosts(),
  host: null,
  parts: null,
  attestation: routes.measuredBoot(),
  names: null,
  bmc: null,
  drives: routes.drives.list(),
  health: null,
  leases: null,
  instances: routes.instances(),
  tickets: routes.tickets(),
  repair: routes.repair(),
  notices: routes.tickets(),
  webhooks: routes.settings.webhooks(),
  capacity: routes.tickets(),
  reclamations: routes.reclamations(),
  cleaning: routes.cleaning.steps(),
  queue: routes.cleaning.queue(),
  brakes: routes.cleaning.queue(),
  images: routes.cleaning.images(),
  audit: routes.audit(),
  security: routes.security(),
  approvals: routes.assurance(),
  policyChanges: routes.assurance(),
  procedures: routes.settings.procedures(),
  exceptions: routes.assurance(),
  evidence: routes.assurance(),
  certificates: routes.reclamations(),
  proof: routes.proof(),
  bulk: routes.cleaning.runs(),
  failures: routes.cleaning.failures(),
  database: null,
  search: null,
  site: routes.settings.site(),
  people: routes.settings.users(),
  tenants: routes.settings.tenants(),
  account: routes.account(),
  passkeys: routes.account(),
  tokens: routes.account(),
  sessions: routes.account(),
  skus: routes.skus(),
  rollouts: routes.firmware(),
  policy: routes.settings.erase(),
  enrolment: routes.enrolments.list(),
} as const satisfies Record<keyof typeof contract, string | null>;

const nouns = Object.keys(pageOf).filter((noun): noun is keyof typeof pageOf => Object.hasOwn(pageOf, noun));

/** Found as acts, with the name of a host. */
const ofOneHost: ReadonlySet<string> = new Set(Object.values(hostActions).map(({ summary }) => summary));

/** A dispatch has the rights of its acts, which its use case checks. */
const rightOf = (operation: Operation) => (operation.kind === "dispatch" ? null : operation.right);

/** Pages that the actor may open, each once, by the first operation whose title has the words and that the actor may do. Pure. */
export function findPlaces(actor: Actor, text: string): readonly FoundPlace[] {
  const shown = shownPages(actor);
  const words = new Map<string, string>([
    ...shown.map((name) => [pages[name].href, pages[name].words] as const),
    ...placesOf(shown, (right) => reachOf(actor.role, right) === "any").map(
      (place) => [place.href, place.words] as const,
    ),
  ]);
  const found = new Map<string, FoundPlace>();
  for (const noun of nouns) {
    const path = pageOf[noun];
    const label = path === null ? undefined : words.get(path);
    if (path === null || label === undefined || found.has(path)) continue;
    const operations: readonly Operation[] = Object.values(contract[noun]);
    const match = operations.find((operation) => {
      const right = rightOf(operation);
      return (
        !ofOneHost.has(operation.title) &&
        (right === null || reachOf(actor.role, right) !== "none") &&
        isTyped(text, `${label} ${operation.title}`)
      );
    });
    if (match !== undefined) found.set(path, { path, words: label, about: match.title });
  }
  return [...found.values()].slice(0, most);
}

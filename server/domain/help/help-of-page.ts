// Which page of the docs is about a page of the console.
import { pages, routes, isBelow } from "@/server/domain/console/routes";

/** The longest route that fits wins, so that a page below another may have its own. */
const about: readonly (readonly [route: string, help: string])[] = [
  [routes.next(), routes.help("next")],
  [pages.hosts.href, routes.help("lifecycle")],
  [routes.enrolments.list(), routes.help("enrolment")],
  [routes.gone.list(), routes.help("decommission")],
  [routes.drives.list(), routes.help("sanitization")],
  [routes.firmware(), routes.help("skus")],
  [routes.measuredBoot(), routes.help("attestation")],
  [pages.instances.href, routes.help("instances")],
  [pages.repair.href, routes.help("repair")],
  [pages.tickets.href, routes.help("repair", "tickets")],
  [routes.cleaning.steps(), routes.help("cleaning")],
  [routes.cleaning.queue(), routes.help("cleaning", "admission")],
  [routes.cleaning.images(), routes.help("cleaning", "new-agent-images")],
  [routes.cleaning.failures(), routes.help("cleaning", "groups-of-failures")],
  [pages.reclamations.href, routes.help("assurance/certificates")],
  [pages.assurance.href, routes.help("assurance")],
  [pages.security.href, routes.help("security", "security-events")],
  [pages.proof.href, routes.help("assurance/proof")],
  [pages.audit.href, routes.help("security", "the-audit-log")],
  [pages.skus.href, routes.help("skus")],
  [pages.settings.href, routes.help("sites")],
  [routes.settings.webhooks(), routes.help("repair", "webhooks")],
];

/** The list of all docs where none is about the page. Pure. */
export const helpOfPage = (path: string): string =>
  about
    .filter(([route]) => isBelow(route, path))
    .toSorted(([one], [other]) => other.length - one.length)[0]?.[1] ?? routes.help();

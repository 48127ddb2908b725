// The agent images of every site: the current one, the candidate with its results, and earlier ones.
import { currentRefusal } from "@/server/domain/cleaning/images/image-rollout";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { brakeOnImage, readImageUse, toImageLine } from "@/server/usecases/cleaning/images/image-rows";
import type { ImagesPage, ImageUse, SiteImages } from "@/server/contract/cleaning/images-answers";
import { personNames } from "@/server/usecases/person-names";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const pastShown = 20;
const noUse = (version: string): ImageUse => ({
  given: 0,
  cameUp: 0,
  failed: 0,
  filter: `image:"${version}"`,
});

async function readSite(
  { database }: Backend,
  site: { readonly id: string; readonly name: string },
): Promise<SiteImages> {
  const [inUse, past] = await Promise.all([
    database.agentImage.findMany({ where: { siteId: site.id, status: { in: ["current", "candidate"] } } }),
    database.agentImage.findMany({
      where: { siteId: site.id, status: { in: ["replaced", "withdrawn"] } },
      orderBy: [{ changedAt: "desc" }, { id: "desc" }],
      take: pastShown,
    }),
  ]);
  const [use, names] = await Promise.all([
    readImageUse(database, inUse),
    personNames(
      database,
      [...inUse, ...past].flatMap(({ createdBy, changedBy }) => [createdBy, changedBy]),
    ),
  ]);
  const hostsWith = ({ id, version }: { readonly id: string; readonly version: string }): ImageUse =>
    use.get(id) ?? noUse(version);
  const current = inUse.find(({ status }) => status === "current");
  const candidate = inUse.find(({ status }) => status === "candidate");
  const braked = candidate === undefined ? null : await brakeOnImage(database, site.id, candidate.version);
  const line =
    candidate === undefined ? null : { ...toImageLine(candidate, names), use: hostsWith(candidate), braked };
  return {
    siteId: site.id,
    site: site.name,
    current: current === undefined ? null : { ...toImageLine(current, names), use: hostsWith(current) },
    candidate:
      line === null
        ? null
        : {
            ...line,
            currentRefusal: currentRefusal({
              rollout: line.rollout,
              braked: braked !== null,
              cameUp: line.use.cameUp,
            }),
          },
    past: past.map((row) => toImageLine(row, names)),
  };
}

/** `configuredUrl`: the image for sites without one of their own. */
export async function listImages(
  backend: Backend,
  actor: Actor,
  { configuredUrl }: { readonly configuredUrl: string },
): Promise<Outcome<ImagesPage>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const sites = await backend.database.site.findMany({
    orderBy: { name: "asc" },
    select: { id: true, name: true },
  });
  return done({ configuredUrl, sites: await Promise.all(sites.map((site) => readSite(backend, site))) });
}

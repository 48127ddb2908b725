// Which pages of the rail a person may open.
import { reachOf } from "@/server/domain/access/access";
import { pageNames, pages } from "@/server/domain/console/routes";
import type { PageName } from "@/server/domain/console/routes";
import type { Actor } from "@/server/usecases/actor";
import { mayRepair } from "@/server/usecases/repair/repair-scope";

/** In the order of the rail. */
export const shownPages = (actor: Actor): readonly PageName[] =>
  pageNames.filter((page) =>
    page === "repair" ? mayRepair(actor) : reachOf(actor.role, pages[page].right) !== "none",
  );

// What takes part in a run: the world, and two controllers that act on it.
import type { HandlerOf, ModelController } from "@/server/controller/testing/model/controllers";
import { newId } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export interface Explorer {
  readonly world: World;
  readonly a: ModelController;
  readonly b: ModelController;
  readonly handlerOf: HandlerOf;
}

export const controller = (world: World): ModelController => ({ id: newId(world), phase: { kind: "idle" } });

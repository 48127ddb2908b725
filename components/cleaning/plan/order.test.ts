// The list being built: add, move, remove, and the selection afterwards.
import { describe, expect, it } from "vitest";
import {
  added,
  emptyOrder,
  movedBy,
  movedTo,
  orderOf,
  removed,
  selectedBy,
  stepsOf,
  withArgs,
  type Order,
} from "@/components/cleaning/plan/order";

const order = orderOf(["a", "b", "c"].map((step) => ({ interface: "deploy", step, args: {} })));
const names = ({ items }: Order) => items.map(({ step }) => step).join("");
const selected = ({ items, selected: key }: Order) => items.find((item) => item.key === key)?.step;

describe("an order", () => {
  it("takes a step at its end, and opens it", () => {
    const two = added(added(emptyOrder, { interface: "power", step: "wait" }), {
      interface: "power",
      step: "wait",
    });
    expect(two.items.map(({ key }) => key)).toEqual([1, 2]);
    expect(two.selected).toBe(2);
    expect(names(added(order, { interface: "deploy", step: "d" }))).toBe("abcd");
  });

  it.each([
    [1, -1, "abc"],
    [1, 1, "bac"],
    [2, -1, "bac"],
    [3, 1, "abc"],
    [3, -1, "acb"],
    [9, 1, "abc"],
  ] as const)("moves step %i by %i", (key, by, after) => {
    const moved = movedBy(order, key, by);
    expect(names(moved)).toBe(after);
    expect(moved.selected).toBe(order.selected);
  });

  it("moves to a place, also beyond the ends", () => {
    expect(names(movedTo(order, 1, 2))).toBe("bca");
    expect(names(movedTo(order, 1, 99))).toBe("bca");
    expect(names(movedTo(order, 3, -5))).toBe("cab");
  });

  it("selects what takes the place of a removed step", () => {
    expect(selected(removed(order, 1))).toBe("b");
    expect(selected(removed({ ...order, selected: 3 }, 3))).toBe("b");
    expect(selected(removed({ ...order, selected: 3 }, 1))).toBe("c");
    expect(removed(orderOf([{ interface: "deploy", step: "a", args: {} }]), 1).selected).toBeNull();
  });

  it("walks, and stops at the ends", () => {
    expect(selected(selectedBy(order, 1))).toBe("b");
    expect(selected(selectedBy(order, -1))).toBe("a");
    expect(selected(selectedBy({ ...order, selected: 3 }, 1))).toBe("c");
    expect(selectedBy(emptyOrder, 1).selected).toBeNull();
  });

  it("gives back the steps with their arguments", () => {
    expect(stepsOf(withArgs(order, 2, { seconds: 5 }))[1]).toEqual({
      interface: "deploy",
      step: "b",
      args: { seconds: 5 },
    });
  });
});

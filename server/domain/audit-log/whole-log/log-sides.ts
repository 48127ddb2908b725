// The check of a log builds two of these, one from its entries and one from its leaves: a tree, with the roots of its full tiles.
import { GrowingTree } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { tileHeight } from "@/server/domain/audit-log/tiles";

/** One of the two. */
export class SideOfLog {
  #tree = new GrowingTree();
  /** By level, from 1 on. */
  #roots: Hash[][] = [];

  get size(): number {
    return this.#tree.size;
  }

  root(): Hash {
    return this.#tree.root();
  }

  append(leaf: Hash): void {
    this.#tree.append(leaf, (height, _position, hash) => {
      if (height > 0 && height % tileHeight === 0) (this.#roots[height / tileHeight] ??= []).push(hash);
    });
  }

  /** Roots of the full tiles of the level below. */
  roots(level: number): readonly Hash[] {
    return this.#roots[level] ?? [];
  }

  /** A copy that grows independently. */
  copy(): SideOfLog {
    const side = new SideOfLog();
    side.#tree = GrowingTree.from(this.#tree.size, this.#tree.edge);
    // Levels without a root are holes, which `map` leaves as they are.
    side.#roots = this.#roots.map((roots) => [...roots]);
    return side;
  }
}

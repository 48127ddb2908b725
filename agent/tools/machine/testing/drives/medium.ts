// The blocks of a test drive: a tenant's data everywhere, what was written since, and what an erase has reached.

export const blockBytes = 512;

/** What an erase leaves in the blocks that it reaches. */
export type Left = "zeros" | "noise";

export class Medium {
  readonly #written = new Map<number, Uint8Array>();
  #fill: (block: number) => Uint8Array;

  constructor(
    readonly blocks: number,
    readonly owner: string,
  ) {
    this.#fill = (block) => this.#tenant(block);
  }

  #tenant(block: number): Buffer {
    return Buffer.alloc(blockBytes, `${this.owner} block ${block}, of a tenant. `);
  }

  read(block: number): Uint8Array {
    return Uint8Array.from(this.#written.get(block) ?? this.#fill(block));
  }

  write(block: number, content: Uint8Array): void {
    this.#written.set(block, Uint8Array.from(content));
  }

  /** Erases the blocks before `reach`; the others keep their content. */
  erase(left: Left, reach: number = this.blocks): void {
    const before = this.#fill;
    for (const block of this.#written.keys()) if (block < reach) this.#written.delete(block);
    this.#fill = (block) => {
      if (block >= reach) return before(block);
      return left === "zeros" ? new Uint8Array(blockBytes) : Buffer.alloc(blockBytes, `new key ${block} `);
    };
  }

  /** Puts the tenant's bytes back everywhere: nothing was erased. */
  restore(): void {
    this.#written.clear();
    this.#fill = (block) => this.#tenant(block);
  }

  /** Number of blocks that hold what the tenant wrote. */
  get tenantBlocks(): number {
    let count = 0;
    for (let block = 0; block < this.blocks; block += 1)
      if (this.#tenant(block).equals(this.read(block))) count += 1;
    return count;
  }
}

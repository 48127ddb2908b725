// One address for several controllers, as a load balancer before them gives: agents and network controllers know nothing of who is alive.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class Balancer {
  readonly #server: Server;
  readonly #open = new Map<number, Set<Socket>>();
  readonly #out = new Set<number>();
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  readonly #ports: readonly number[];

  constructor(ports: readonly number[]) {
    this.#ports = ports;

    this.#server = createServer((socket) => this.#accept(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the balancer has no port");
    return address.port;
  }

  /** A health check failed: no new connections go there, and those that are open are cut. */
  takeOut(port: number): void {
    this.#out.add(port);
    for (const socket of this.#open.get(port) ?? []) socket.destroy();
  }

  putIn(port: number): void {
    this.#out.delete(port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    this.#sockets.add(client);
    client.on("error", () => client.destroy());
    client.once("close", () => this.#sockets.delete(client));
    this.#turn += 1;
    const order = this.#ports.map((_, place) => this.#ports[(place + this.#turn) % this.#ports.length] ?? 0);
    this.#forward(
      client,
      order.filter((port) => !this.#out.has(port)),
    );
  }

  /** To the first that takes the connection. */
  #forward(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    this.#sockets.add(upstream);
    const mine = this.#open.get(port) ?? new Set();
    this.#open.set(port, mine);
    let joined = false;
    upstream.once("connect", () => {
      joined = true;
      mine.add(client).add(upstream);
      client.pipe(upstream).pipe(client);
    });
    upstream.on("error", () => {
      if (joined) client.destroy();
      else this.#forward(client, others);
    });
    upstream.once("close", () => {
      this.#sockets.delete(upstream);
      mine.delete(upstream);
      mine.delete(client);
      if (joined) client.destroy();
    });
    client.once("close", () => upstream.destroy());
  }
}

// Bodies of requests that are read as a whole. Each stays in memory until its call ends, so there are limits for the
// bytes of one body, of all bodies from one network, and of all together.
import type { IncomingMessage } from 'node:http'

/** A request that is answered with this status, and says why. */
export class RefusedError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface BodyLimits {
  /** Of one body; a larger one is answered with 413. */
  maxRequestBytes: number
  /** Of the bodies of one network (see networkOf); more are answered with 503. */
  maxNetworkBytes: number
  /** Of all bodies; more are answered with 503. */
  maxAllBytes: number
}

/** The bodies of all requests that are running. */
export class BoundedBodies {
  readonly #limits: BodyLimits
  readonly #bytesByNetwork = new Map<string, number>()
  #allBytes = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /**
   * Reads the whole body, so that its length is our own. It counts until `work` has ended. Throws RefusedError where a
   * limit is exceeded.
   */
  async use(
    incoming: IncomingMessage,
    network: string,
    work: (body: Buffer) => Promise<void>,
  ): Promise<void> {
    let size = 0
    const read = async () => {
      const parts: Buffer[] = []
      for await (const part of incoming as AsyncIterable<Buffer>) {
        size += part.length
        this.#add(network, part.length)
        this.#requireRoom(network, size)
        parts.push(part)
      }
      return Buffer.concat(parts)
    }
    try {
      await work(await read())
    } finally {
      this.#add(network, -size)
    }
  }

  #add(network: string, bytes: number): void {
    const sum = (this.#bytesByNetwork.get(network) ?? 0) + bytes
    if (sum > 0) this.#bytesByNetwork.set(network, sum)
    else this.#bytesByNetwork.delete(network)
    this.#allBytes += bytes
  }

  #requireRoom(network: string, size: number): void {
    const { maxRequestBytes, maxNetworkBytes, maxAllBytes } = this.#limits
    if (size > maxRequestBytes)
      throw new RefusedError(413, `The request is larger than ${maxRequestBytes} bytes.`)
    const ofNetwork = this.#bytesByNetwork.get(network) ?? 0
    if (ofNetwork > maxNetworkBytes || this.#allBytes > maxAllBytes)
      throw new RefusedError(503, 'Too many requests are being sent at once.')
  }
}

// One device of a member: it comes and goes, reads, listens, writes, and sends again what it does not know to have
// arrived, as the app does.
import { once } from 'node:events'
import { request, type Agent, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { BatchResults } from '../../contract/schemas/batch.ts'
import type { Durations } from './statistics.ts'

/** What all devices share. */
export interface Load {
  url: string
  agent: Agent
  durations: Durations
  /** When each update was first sent, by its id, in milliseconds of `performance.now()`. */
  sentAt: Map<string, number>
  /** Ids of the updates that the server has confirmed, by organisation. */
  confirmed: Map<string, Set<string>>
  /** Devices begin nothing new after it is aborted. */
  ending: AbortSignal
  /** Aborted when all devices come at once. */
  crowd: AbortSignal
}

export interface Member {
  organisation: string
  access_token: string
  /** The device's own address: the server limits requests of one network. */
  address: string
  plans: readonly string[]
}

interface Changes {
  success_plan_updates: { id: string; body: string }[]
}

interface Page {
  version: number
  more: boolean
  data: Changes
}

/** The organisation's version, and the changes since `previous` where they are few. */
interface VersionEvent {
  version: number
  previous?: number
  data?: Changes
}

interface Update {
  id: string
  plan: string
}

/** Times are short, so that some minutes hold many comings and goings. */
const ONLINE_MS = 40_000
const OFFLINE_MS = 8_000
const BETWEEN_UPDATES_MS = 10_000
/** What is written while the device is offline. */
const UPDATES_OFFLINE = 8
/** The app sends so many at least, and so many at most, in one request. */
const BATCH_LENGTH = { least: 5, most: 100 }
const RETRY_MS = 1_000
/** Of one update; then the load ends with an error. */
const MAX_ATTEMPTS = 100
/** Updates that are sent twice, as when the first answer is lost. */
const LOST_ANSWERS = 0.1

/** Half to one and a half times as long. */
const about = (durationMs: number) => durationMs * (0.5 + Math.random())

export class Device {
  readonly #load: Load
  readonly #member: Member
  #cursor = 0
  #queue: Update[] = []
  /** When its event stream was opened. */
  #listeningSince = Infinity
  #pulling: Promise<void> | undefined
  #isStale = false

  constructor(load: Load, member: Member) {
    this.#load = load
    this.#member = member
  }

  /** Comes and goes until the end of the load, and then sends what is left. */
  async run(): Promise<void> {
    const { ending, crowd } = this.#load
    await this.#wait(about(OFFLINE_MS), ending, crowd)
    while (!ending.aborted) {
      const isCrowd = crowd.aborted
      const goneOffline = new AbortController()
      const listening = this.#listen(goneOffline.signal)
      await this.#replay()
      await this.#pull()
      const until = performance.now() + about(ONLINE_MS)
      while (performance.now() < until && !ending.aborted && crowd.aborted === isCrowd) {
        await this.#wait(about(BETWEEN_UPDATES_MS), ending, isCrowd ? undefined : crowd)
        this.#write()
        await this.#replay()
      }
      goneOffline.abort()
      await listening
      if (crowd.aborted && !isCrowd) {
        // Everybody opens the app on a new device at the same time.
        this.#cursor = 0
        continue
      }
      for (let left = about(UPDATES_OFFLINE); left > 0; left -= 1) this.#write()
      await this.#wait(about(OFFLINE_MS), ending, isCrowd ? undefined : crowd)
    }
    await this.#replay()
  }

  async #wait(delayMs: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
    const given = signals.filter((signal) => signal !== undefined)
    await pause(delayMs, undefined, { signal: AbortSignal.any(given) }).catch(() => undefined)
  }

  #write(): void {
    const { plans } = this.#member
    const plan = plans[Math.floor(Math.random() * plans.length)] ?? ''
    this.#queue.push({ id: uuidv7(), plan })
  }

  /** Sends the queue in order; what fails is sent again under its key. Rejects when the server never takes one. */
  async #replay(): Promise<void> {
    let attempts = 0
    while (this.#queue.length > 0) {
      const isBatch = this.#queue.length >= BATCH_LENGTH.least
      const sent = this.#queue.slice(0, isBatch ? BATCH_LENGTH.most : 1)
      const { sentAt } = this.#load
      for (const { id } of sent) if (!sentAt.has(id)) sentAt.set(id, performance.now())
      const send = () => (isBatch ? this.#sendBatch(sent) : this.#sendOne(sent))
      let arrived = await send()
      if (Math.random() < LOST_ANSWERS) arrived = arrived.intersection(await send())
      this.#confirm(arrived)
      if (arrived.size > 0) {
        attempts = 0
        continue
      }
      attempts += 1
      if (attempts >= MAX_ATTEMPTS)
        throw new Error(`The server does not take the update ${sent[0]?.id}.`)
      await pause(RETRY_MS)
    }
  }

  #confirm(arrived: ReadonlySet<string>): void {
    const { confirmed } = this.#load
    const ids = confirmed.get(this.#member.organisation) ?? new Set()
    for (const id of arrived) ids.add(id)
    confirmed.set(this.#member.organisation, ids)
    this.#queue = this.#queue.filter(({ id }) => !arrived.has(id))
  }

  /** The ids of those that the server has confirmed. */
  async #sendOne(updates: readonly Update[]): Promise<Set<string>> {
    const arrived = new Set<string>()
    for (const { id, plan } of updates) {
      const body = { id, body: `Update ${id}` }
      const path = `/api/v1/success-plans/${plan}/updates`
      if ((await this.#call('post update', path, id, body)) !== undefined) arrived.add(id)
    }
    return arrived
  }

  /** The same in one request, as the app does after some time offline. */
  async #sendBatch(updates: readonly Update[]): Promise<Set<string>> {
    const operations = updates.map(({ id, plan }) => ({
      key: id,
      lane: plan,
      method: 'POST',
      path: `/api/v1/success-plans/${plan}/updates`,
      body: { id, body: `Update ${id}` },
    }))
    const text = await this.#call('send a batch', '/api/v1/batch', undefined, { operations })
    if (text === undefined) return new Set()
    const { data } = JSON.parse(text) as BatchResults
    for (const { status } of data)
      if (status !== 201 && status !== null)
        this.#load.durations.addError(`operation of a batch: ${status}`)
    return new Set(data.filter(({ status }) => status === 201).map(({ key }) => key))
  }

  /** Reads what is new; one reading at a time. */
  #pull(): Promise<void> {
    this.#isStale = true
    this.#pulling ??= this.#readPages().finally(() => (this.#pulling = undefined))
    return this.#pulling
  }

  async #readPages(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      for (let more = true; more;) {
        const name = this.#cursor === 0 ? 'first download' : 'read changes'
        const text = await this.#call(name, `/api/v1/changes?since=${this.#cursor}`)
        if (text === undefined) return
        const page = JSON.parse(text) as Page
        this.#cursor = page.version
        ;({ more } = page)
        for (const { id } of page.data.success_plan_updates) this.#arrived(id)
      }
    }
  }

  #arrived(id: string): void {
    const { sentAt, durations } = this.#load
    const at = sentAt.get(id)
    // A device that was offline has it later, for no fault of the server.
    if (at !== undefined && at > this.#listeningSince)
      durations.add('post to a listening device', performance.now() - at)
  }

  /** Stores the changes of an event where the device has all before them, as the app does; else reads them. */
  #hear({ version, previous, data }: VersionEvent): void {
    if (version <= this.#cursor && this.#pulling === undefined) return
    if (!data || this.#pulling !== undefined || previous !== this.#cursor) void this.#pull()
    else {
      this.#cursor = version
      for (const { id } of data.success_plan_updates) this.#arrived(id)
    }
  }

  /** Listens until the signal; opens the stream again when it ends. */
  async #listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const outgoing = request(`${this.#load.url}/api/v1/events`, {
          headers: { ...this.#headers(), Accept: 'text/event-stream' },
          signal,
        })
        outgoing.end()
        const [stream] = (await once(outgoing, 'response')) as [IncomingMessage]
        if (stream.statusCode !== 200) throw new Error(`open events: ${stream.statusCode}`)
        this.#listeningSince = performance.now()
        let text = ''
        for await (const part of stream.setEncoding('utf8') as AsyncIterable<string>) {
          const events = (text + part).split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) {
            const [, data] = /^data: (.*)$/m.exec(event) ?? []
            if (data !== undefined) this.#hear(JSON.parse(data) as VersionEvent)
          }
        }
      } catch (error) {
        if (!signal.aborted) this.#load.durations.addError(String(error))
      }
      this.#listeningSince = Infinity
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  #headers() {
    return {
      Authorization: `Bearer ${this.#member.access_token}`,
      'X-organisation': this.#member.organisation,
      'X-Forwarded-For': this.#member.address,
    }
  }

  /** The answer's text; undefined when it is no success, which counts as an error. */
  async #call(
    name: string,
    path: string,
    key?: string,
    body?: object,
  ): Promise<string | undefined> {
    const { url, agent, durations } = this.#load
    const from = performance.now()
    try {
      const outgoing = request(url + path, {
        agent,
        method: body ? 'POST' : 'GET',
        headers: {
          ...this.#headers(),
          ...(body && { 'Content-Type': 'application/json' }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
      })
      outgoing.end(body && JSON.stringify(body))
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
      const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
      if (incoming.statusCode !== (key === undefined ? 200 : 201))
        throw new Error(`${incoming.statusCode} ${text.slice(0, 80)}`)
      durations.add(name, performance.now() - from)
      return text
    } catch (error) {
      durations.addError(`${name}: ${String(error)}`)
      return undefined
    }
  }
}

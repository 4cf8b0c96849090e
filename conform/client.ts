// Calls of the server under test by the endpoint table, and the checks that every answer gets.
import { CAPABILITIES_HEADER } from '../contract/capabilities.ts'
import { readAnswer, type Endpoint } from '../contract/endpoint.ts'
import { endpoints, type EndpointName } from '../contract/endpoints.ts'
import { TokenErrorBody } from '../contract/errors.ts'
import { writeQuery, type QueryValue } from '../contract/query-string.ts'
import type { UnreadReason } from '../contract/schemas/read-records.ts'
import * as v from 'valibot'
import { parseJson, recordOf, valueOf, type Json } from './records.ts'
import { describe, type Level, type Report } from './report.ts'

const TIMEOUT_MS = 20_000

/** How to sign in: the user, and the app's client. */
export interface Credentials {
  email: string
  password: string
  clientId: string
  clientSecret: string
}

interface Options {
  path?: Record<string, string>
  query?: Record<string, QueryValue>
  body?: unknown
  headers?: Record<string, string>
  /** Without `Authorization`. */
  anonymous?: boolean
}

/** An answer; `json` is undefined where the body is not JSON. */
export interface Reply {
  name: EndpointName
  /** Method and path, with its parameters. */
  call: string
  status: number
  headers: Headers
  text: string
  json: unknown
}

/** A request that got no answer, or a redirect; its message says why. */
export class NoAnswer extends Error {
  readonly call: string

  constructor(call: string, error: unknown) {
    const { message, cause } = error as Error
    super(cause instanceof Error ? `${message}: ${cause.message}` : message)
    this.call = call
  }
}

/** The row of the endpoint in the contract’s table. */
export const rowOf = (name: EndpointName): Endpoint => endpoints[name]
/** Whether the call was answered with a status from 200 to 299. */
export const isSuccess = ({ status }: Reply) => status >= 200 && status < 300

/** Calls the server as the app does, and reports each answer that is not as agreed. */
export class Client {
  readonly report: Report
  /** The organisation of the next calls. */
  organisation_id: string | undefined
  readonly #url: string
  readonly #credentials: Credentials
  readonly #called = new Set<EndpointName>()
  /** By method. */
  readonly #unknown = new Map<string, number>()
  #accessToken = ''
  #refreshToken = ''
  #renewing: Promise<void> | undefined

  constructor(url: string, credentials: Credentials, report: Report) {
    this.#url = url.replace(/\/$/, '')
    this.#credentials = credentials
    this.report = report
  }

  /** The calls of the table that were not made. */
  notCalled(): EndpointName[] {
    return (Object.keys(endpoints) as EndpointName[]).filter((name) => !this.#called.has(name))
  }

  /** Makes one call. Throws NoAnswer. */
  async send(name: EndpointName, options: Options = {}): Promise<Reply> {
    const response = await this.open(name, options)
    const text = await response.text().catch((error: unknown) => {
      throw new NoAnswer(labelOf(name, options), error)
    })
    const json = /^application\/(?:[\w.+-]+\+)?json\b/i.test(
      response.headers.get('content-type') ?? '',
    )
      ? parseJson(text)
      : undefined
    const { status, headers } = response
    this.report.takeCapabilities(headers.get(CAPABILITIES_HEADER))
    return { name, call: labelOf(name, options), status, headers, text, json }
  }

  /** Makes one call and returns before its body arrives. Throws NoAnswer. */
  async open(name: EndpointName, options: Options = {}, timeoutMs = TIMEOUT_MS): Promise<Response> {
    const { method, path, who } = rowOf(name)
    this.#called.add(name)
    const query = options.query ? `?${writeQuery(options.query)}` : ''
    const anonymous = options.anonymous ?? who === 'anyone'
    const call = labelOf(name, options)
    const url = fill(path, options.path) + query
    return this.#fetch(method, url, call, { ...options, anonymous }, timeoutMs)
  }

  /** The status of a call by this method that no server has; found out once. Throws NoAnswer. */
  async unknownStatus(method: string): Promise<number> {
    const known = this.#unknown.get(method)
    if (known !== undefined) return known
    const path = '/api/v1/cairn-conform-no-such-call'
    const body = method === 'GET' ? {} : { body: {} }
    const response = await this.#fetch(method, path, `${method} ${path}`, body, TIMEOUT_MS)
    await response.body?.cancel()
    this.#unknown.set(method, response.status)
    return response.status
  }

  async #fetch(
    method: string,
    path: string,
    call: string,
    options: Options,
    timeoutMs: number,
  ): Promise<Response> {
    const token = options.anonymous === true ? undefined : this.#accessToken
    const response = await this.#exchange(method, path, call, options, timeoutMs, token)
    if (response.status !== 401 || !token) return response
    await (this.#renewing ??= this.#renew(token).finally(() => (this.#renewing = undefined)))
    if (this.#accessToken === token) return response
    await response.body?.cancel()
    return await this.#exchange(method, path, call, options, timeoutMs, this.#accessToken)
  }

  /**
   * Refreshes the tokens if that one has expired. It has not if the server accepts it for another call: some servers
   * answer 401 to a call that they do not have.
   */
  async #renew(token: string): Promise<void> {
    const { path } = rowOf('getUserinfo')
    const check = await this.#exchange('GET', path, `GET ${path}`, {}, TIMEOUT_MS, token)
    await check.body?.cancel()
    if (check.status === 401) this.#keepTokens(await this.#refresh())
  }

  async #exchange(
    method: string,
    path: string,
    call: string,
    options: Options,
    timeoutMs: number,
    token: string | undefined,
  ): Promise<Response> {
    try {
      return await fetch(this.#url + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          Accept: 'application/json',
          ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(token !== undefined &&
            this.organisation_id !== undefined && { 'X-organisation': this.organisation_id }),
          ...options.headers,
        },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      })
    } catch (error) {
      throw new NoAnswer(call, error)
    }
  }

  /** Asks as a browser does before a call of another origin. Throws NoAnswer. */
  async preflight(
    name: EndpointName,
    path: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<Response> {
    try {
      return await fetch(this.#url + fill(rowOf(name).path, path), {
        method: 'OPTIONS',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers,
      })
    } catch (error) {
      throw new NoAnswer(`OPTIONS for ${labelOf(name, { path })}`, error)
    }
  }

  /** Signs in, refreshes the tokens once, and checks how a refresh is refused. Throws NoAnswer. */
  async signIn(): Promise<boolean> {
    const { email: username, password } = this.#credentials
    const first = await this.#grant({ grant_type: 'password', username, password })
    if (!this.#takeTokens(first)) return false
    const refreshed = await this.#refresh()
    if (!this.#takeTokens(refreshed)) return false
    const refused = await this.#grant({ grant_type: 'refresh_token', refresh_token: 'not-a-token' })
    const isRefused = refused.status === 400 || refused.status === 401
    this.report.check(isRefused && refused.json !== undefined, 'reads', {
      call: `${refused.call} with an unknown refresh token`,
      field: 'status',
      value: answerOf(refused),
      expectation: '400 or 401 with JSON; otherwise the app never signs out',
    })
    const error = v.safeParse(TokenErrorBody, refused.json)
    if (isRefused && !(error.success && /^invalid_(?:grant|request)$/.test(error.output.error)))
      this.report.notes.push(
        `${refused.call}: a refused refresh without error "invalid_grant" or "invalid_request" (${describe(refused.json)}) signs out later, or not at all.`,
      )
    return true
  }

  #refresh(): Promise<Reply> {
    return this.#grant({ grant_type: 'refresh_token', refresh_token: this.#refreshToken })
  }

  #grant(grant: Json): Promise<Reply> {
    const { clientId: client_id, clientSecret: client_secret } = this.#credentials
    return this.send('issueToken', { body: { client_id, client_secret, scope: '', ...grant } })
  }

  #takeTokens(reply: Reply): boolean {
    if (!this.checkAnswer(reply, 'reads')) return false
    this.#keepTokens(reply)
    return true
  }

  /** Without a new refresh token the one in use stays. */
  #keepTokens({ json }: Reply): void {
    const { access_token, refresh_token } = recordOf(json)
    if (typeof access_token === 'string') this.#accessToken = access_token
    if (typeof refresh_token === 'string') this.#refreshToken = refresh_token
  }

  /** Checks an answer that should be a success: its status, and each value of its body. */
  checkAnswer(reply: Reply, level: Level): boolean {
    const { report } = this
    const row = rowOf(reply.name)
    const expected = row.status ?? 200
    const { call } = reply
    const isFound = report.check(isSuccess(reply), level, {
      call,
      field: 'status',
      value: answerOf(reply),
      expectation: String(expected),
    })
    if (!isFound || row.answer.shape === 'none') return isFound
    const read = reply.json === undefined ? { ok: false as const } : readAnswer(row, reply.json)
    const isReadable = report.check(read.ok, level, {
      call,
      field: missingField(row.answer, reply.json) ?? 'body',
      value: describe(reply.json ?? reply.text),
      expectation: `JSON with ${row.answer.shape === 'list' ? 'a list of records in data' : 'the record, in data'}`,
    })
    if (!isReadable || !read.ok) return false
    for (const unread of read.unread ?? [])
      report.check(false, level, {
        call,
        field: [unread.collection, unread.id, unread.path].filter(Boolean).join(' '),
        value: valueOf(reply.json, unread),
        expectation: EXPECTATIONS[unread.reason],
      })
    return read.unread === undefined
  }
}

const EXPECTATIONS: Record<UnreadReason, string> = {
  missing: 'a value: the record cannot be shown without it',
  date: 'a day or a time in ISO 8601, such as 2026-12-01',
  number: 'a number',
  text: 'text',
  'yes-or-no': 'true or false',
  list: 'a list',
  record: 'an object',
}

/** The path of the first field without which a single record cannot be read. */
function missingField(answer: Endpoint['answer'], json: unknown): string | undefined {
  if (answer.shape !== 'one' || json === undefined) return undefined
  const { issues } = v.safeParse(answer.schema, recordOf(json))
  return (issues?.[0] && v.getDotPath(issues[0])) ?? undefined
}

/** Status and body of an answer, for a finding. */
export const answerOf = ({ status, json, text }: Reply): string =>
  `${status} ${json === undefined ? describe(text) : describe(json)}`

const fill = (path: string, values: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** Method and path of a call, with its parameters. */
export const labelOf = (name: EndpointName, { path, query }: Options) => {
  const search = query ? `?${writeQuery(query)}` : ''
  return `${rowOf(name).method} ${fill(rowOf(name).path, path)}${search}`
}

// Whether the pages of another origin may make the app's calls and read the answers (Fetch standard, CORS
// protocol). Part of the level "reads", where an origin is given.
import { CAPABILITIES_HEADER, type Capability } from '../contract/capabilities.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { labelOf, rowOf, type Client } from './client.ts'
import { describe } from './report.ts'

const LEVEL = 'reads'
/** One call of each kind that needs a preflight. */
const PREFLIGHTED: readonly EndpointName[] = [
  'issueToken',
  'getUserinfo',
  'createSuccessPlan',
  'updateSuccessPlan',
  'updateAction',
  'deleteSuccessPlan',
]
/** Methods that a preflight need not name. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'POST'])
const CAPABILITY_HEADERS: Partial<Record<Capability, string>> = {
  keys: 'Idempotency-Key',
  versions: 'If-Match',
}
/** Request headers of the app that need a permission. */
const headersOf = (name: EndpointName, client: Client): string[] => {
  const { method, who } = rowOf(name)
  return [
    ...(method === 'GET' || method === 'DELETE' ? [] : ['Content-Type']),
    ...(who === 'anyone' ? [] : ['Authorization', 'X-organisation']),
    ...(method === 'GET' || who === 'anyone'
      ? []
      : Object.entries(CAPABILITY_HEADERS)
          .filter(([capability]) => client.report.has(capability as Capability))
          .map(([, header]) => header)),
  ]
}

/** Checks the server as a browser would at a page of `origin`. Throws NoAnswer. */
export async function checkCors(client: Client, origin: string): Promise<void> {
  for (const name of PREFLIGHTED) await checkPreflight(client, name, origin)
  await checkAnswers(client, origin)
}

async function checkPreflight(client: Client, name: EndpointName, origin: string): Promise<void> {
  const { method } = rowOf(name)
  const asked = headersOf(name, client)
  const path = { id: '1' }
  const { status, headers } = await client.preflight(name, path, {
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': asked
      .map((header) => header.toLowerCase())
      .toSorted()
      .join(','),
  })
  const call = `OPTIONS for ${labelOf(name, { path })} from ${origin}`
  client.report.check(status >= 200 && status < 300, LEVEL, {
    call,
    field: 'status',
    value: String(status),
    expectation: 'a status from 200 to 299, without a token',
  })
  checkOrigin(client, call, headers, origin)
  if (!SAFE_METHODS.has(method)) checkNames(client, call, headers, 'Methods', [method])
  checkNames(client, call, headers, 'Headers', asked)
}

function checkOrigin(client: Client, call: string, headers: Headers, origin: string): void {
  const allowed = headers.get('Access-Control-Allow-Origin')
  client.report.check(allowed === '*' || allowed === origin, LEVEL, {
    call,
    field: 'Access-Control-Allow-Origin',
    value: describe(allowed ?? undefined),
    expectation: `${origin}, on errors too`,
  })
}

/** The names that a header with a list of them lacks; `*` stands for all but `Authorization`. */
function lacking(headers: Headers, header: string, names: readonly string[]): string[] {
  const listed = new Set(
    (headers.get(header) ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  return names.filter(
    (name) => !listed.has(name.toLowerCase()) && (!listed.has('*') || name === 'Authorization'),
  )
}

function checkNames(
  client: Client,
  call: string,
  headers: Headers,
  what: 'Methods' | 'Headers',
  names: readonly string[],
): void {
  const field = `Access-Control-Allow-${what}`
  const missing = lacking(headers, field, names)
  client.report.check(missing.length === 0, LEVEL, {
    call,
    field,
    value: describe(headers.get(field) ?? undefined),
    expectation: `also ${missing.join(', ')}`,
  })
}

/** Answers and errors can be read by the page, with the headers that the app needs. */
async function checkAnswers(client: Client, origin: string): Promise<void> {
  const headers = { Origin: origin }
  const read = await client.send('getUserinfo', { headers })
  const replies = [
    read,
    await client.send('getUserinfo', { headers, anonymous: true }),
    await client.send('getSuccessPlan', { headers, path: { id: '999999999' } }),
    await client.send('issueToken', { headers, body: { grant_type: 'refresh_token' } }),
  ]
  for (const reply of replies)
    checkOrigin(client, `${reply.call} (${reply.status}) from ${origin}`, reply.headers, origin)
  const used = ['Retry-After', ...(client.report.named ? [CAPABILITIES_HEADER] : [])]
  const hidden = lacking(read.headers, 'Access-Control-Expose-Headers', used)
  if (hidden.includes(CAPABILITIES_HEADER))
    client.report.notes.push(
      `${CAPABILITIES_HEADER} is not in Access-Control-Expose-Headers: name the capabilities in config.json.`,
    )
  if (hidden.includes('Retry-After'))
    client.report.notes.push(
      'Retry-After is not in Access-Control-Expose-Headers: the app then chooses its own delay.',
    )
}

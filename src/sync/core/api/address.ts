// Session, operations and capabilities belong to the server at one API address. At another one nothing
// of them is sent.
import { readOperations, type Operation } from '../operation.ts'
import type { ApiAddress, Ports, Transaction } from '../ports.ts'
import { readSession } from '../session-store.ts'

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/**
 * Whether `bound`, a base URL stored with a session or an operation, is that of the configured server, or a
 * former one of it. True for what earlier builds stored without a base URL, and before the configuration
 * has been read once.
 */
export function isSameServer(
  { baseUrl, formerBaseUrls = [], isUnknown }: ApiAddress,
  bound: string | undefined,
): boolean {
  if (bound === undefined || isUnknown) return true
  return [baseUrl, ...formerBaseUrls].map(withoutSlash).includes(withoutSlash(bound))
}

/**
 * Whether two stored base URLs are of one server, whichever is configured: another one may give the same ids.
 */
export const isOneServer = (
  address: ApiAddress,
  a: string | undefined,
  b: string | undefined,
): boolean =>
  a === b ||
  a === undefined ||
  b === undefined ||
  (!address.isUnknown && isSameServer(address, a) && isSameServer(address, b))

/** The stored operations for the server of that one, in their order. Those for another one stay as they are. */
export const readOperationsBeside = async (
  tx: Transaction,
  { api }: Operation,
  address: ApiAddress,
): Promise<Operation[]> =>
  (await readOperations(tx)).filter((one) => isOneServer(address, one.api, api))

/**
 * The base URL that new work belongs to, in a transaction over the store `session`: that of the session before
 * the configuration has been read, as after a crash that lost it, and where it names another server now.
 */
export async function addressOfWork(
  address: ApiAddress,
  tx: Transaction,
): Promise<string | undefined> {
  const { api } = await readSession(tx)
  return address.isUnknown || !isSameServer(address, api) ? api : address.baseUrl
}

/** Whether it is known which server calls go to. May wait for the configuration. Never rejects. */
export async function knowsAddress({ api, configured }: Pick<Ports, 'api' | 'configured'>) {
  if (api().isUnknown) await configured?.().catch(() => undefined)
  return !api().isUnknown
}

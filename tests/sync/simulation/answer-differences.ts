// Compares an answer of the model server with that of the real server.
import * as v from 'valibot'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'

type Fields = Record<string, unknown>

/** Where the model's answer does not match the schema of its endpoint. */
export function unreadable(method: string, url: string, body: Fields | null): string[] {
  const [path = ''] = url.split('?')
  const row = Object.values<Endpoint>(endpoints).find(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  if (!row) return [`The contract has no ${method} ${path}.`]
  const { answer } = row
  if (answer.shape === 'none') return []
  const read = { raw: [body], one: [body?.data], list: body?.data as unknown[] }[answer.shape]
  return read.flatMap((value) =>
    (v.safeParse(answer.schema, value).issues ?? []).map(
      (issue) => `${v.getDotPath(issue)}: ${issue.message}`,
    ),
  )
}

const VERSIONS = ['version', 'success_plan_version', 'latest']

/** The comparable part of a body: of an error its kind and record; of lists and changes sorted records. */
export function bodyOf(body: Fields | null | undefined): Fields | null {
  if (!body) return null
  const { message, data, meta, ...rest } = body
  if (message !== undefined) return { message: typeof message, ...(data !== undefined && { data }) }
  if (Array.isArray(data)) return { total: (meta as Fields).total, data: sorted(data as Fields[]) }
  const { deleted, organisation_users, ...collections } = (data ?? {}) as Fields
  if (!Array.isArray(deleted)) return { data }
  const isFilled = ([, records]: [string, unknown]) => (records as unknown[]).length > 0
  return {
    ...rest,
    data: {
      ...Object.fromEntries(Object.entries(collections).filter(isFilled)),
      deleted: sorted(deleted as Fields[]),
      organisation_users: sorted((organisation_users ?? []) as Fields[]),
    },
  }
}

/** Sorted, and without the ids and versions of memberships, which the two servers write differently. */
const sorted = (records: Fields[]) => {
  const isMember = (one: Fields) => one.email !== undefined
  // Servers generate ids of updates; those of one batch are created at the same instant.
  const keyOf = (one: Fields) =>
    String(isMember(one) ? one.user_id : one.written_at ? writtenKey(one) : one.id)
  return records
    .map((one) => (isMember(one) ? { ...one, id: null, version: null } : one))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const writtenKey = ({ created_at, body, progress_from, progress_to, health }: Fields) =>
  JSON.stringify([created_at, body, progress_from, progress_to, health])

/** The fields of the model's answer whose value in the server's answer differs. */
export function differences(
  path: string,
  model: unknown,
  real: unknown,
  sameVersion: (a: unknown, b: unknown) => boolean = () => true,
): string[] {
  const differ = () => [
    `${path}: the model has ${JSON.stringify(model)}, the server ${JSON.stringify(real)}`,
  ]
  if (Array.isArray(model)) {
    if (!Array.isArray(real) || real.length !== model.length) return differ()
    return model.flatMap((one, index) =>
      differences(`${path}[${index}]`, one, real[index], sameVersion),
    )
  }
  if (typeof model !== 'object' || model === null) return Object.is(model, real) ? [] : differ()
  if (typeof real !== 'object' || real === null) return differ()
  return Object.entries(model).flatMap(([name, value]) => {
    const other = (real as Fields)[name]
    if (VERSIONS.includes(name) && value !== null)
      return sameVersion(value, other)
        ? []
        : [`${path}.${name}: ${String(value)} and ${String(other)} are not one version`]
    if (name === 'id' && String(value).startsWith('generated-')) return []
    return differences(`${path}.${name}`, value, other, sameVersion)
  })
}

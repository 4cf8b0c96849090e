// What differs between servers that implement the specification and nothing else.

/** A value in another form than our own server's. `first`: of the first record of each kind only. */
export type Oddity =
  | 'null-texts'
  | 'null-lists'
  | 'null-numbers'
  | 'numbers-as-strings'
  /** A text in place of a number. */
  | 'words-as-numbers'
  | 'booleans-as-numbers'
  /** `2026-12-01T00:00:00.000000Z` */
  | 'days-as-instants'
  /** `2026-12-01 00:00:00` */
  | 'days-with-time'
  /** `20261201` */
  | 'days-without-dashes'
  /** The same as a number. */
  | 'days-as-numbers'
  /** `31/12/2026`, which no reader can be sure of. */
  | 'days-localised'
  /** An empty text in place of no day. */
  | 'empty-days'
  /** `2026-03-01 09:00:00` of `created_at` and the like. */
  | 'times-without-zone'
  /** Since 1970. */
  | 'times-in-seconds'
  | 'null-titles'
  | 'null-ids'
  | 'no-author'
  | 'no-created-at'
  | 'no-written-at'
  | 'unknown-status'
  /** `account: {id}` in place of `account_id`, and so on. */
  | 'nested-parents'

export interface PlainOptions {
  ids: 'integers' | 'uuids' | 'large-integers'
  /** `unique`: taken from the request, and a second create under the same id fails with 500. */
  clientIds: 'ignored' | 'unique'
  /** `refused`: 422 to an id in a body that is a text; records have numbers. */
  idsInText: 'taken' | 'refused'
  /** Records on a page, whatever is asked for. */
  pageSize: number
  /** `refused` with 422; `honoured` up to `pageSize`. */
  perPage: 'honoured' | 'refused' | 'ignored'
  /** `cursor-alone`: without links. `total`: only the number of records, beside them. */
  pagination: 'length-aware' | 'simple' | 'cursor' | 'cursor-alone' | 'total'
  /** Without `links` and `meta`, lists are pages all the same. */
  withoutMeta: boolean
  /** `map`: an object of records; `nested`: the paginator in another `data`; `null`: in place of an empty list. */
  lists: 'list' | 'map' | 'nested' | 'null'
  oddities: Partial<Record<Oddity, 'first' | 'all'>>
  /** The answer to a write: the record, 204, `{"message":"ok"}`, or the id of the record alone. */
  writes: 'record' | 'empty' | 'message' | 'id'
  put: 'merges' | 'replaces'
  /**
   * What a deletion does. `ignored`: nothing, with 204; `denied`: nothing, with 200 and a message; `soft`: it sets
   * `deleted_at`, and the record leaves the lists.
   */
  deletions: 'made' | 'ignored' | 'denied' | 'soft'
  /** The ids of contacts are stored as they come, or made by the server, which answers 422 to others. */
  contactIds: 'stored' | 'made'
  /** The contacts of the first account; `unnamed`: the second of them has null for a name. */
  contacts: 'none' | 'unnamed'
  /** What belongs to a plan or an initiative that is deleted. */
  children: 'kept' | 'deleted'
  /** Fields that it does not know, by table: ignored in requests, and in no answer. */
  unknownFields: Partial<Record<string, readonly string[]>>
  /** `sanitised`: tags are removed, spaces collapsed, ampersands escaped. */
  text: 'unchanged' | 'sanitised'
  /** The status of a route that does not exist; 403 as a gateway's JSON. */
  unknownRoutes: 401 | 403 | 404 | 405 | 410 | 422 | 501
  /** `refused`: answers 412 to any If-Match, since no record has an ETag. */
  ifMatch: 'ignored' | 'refused'
  /** How a refresh is refused. `message` is Laravel's own 401, without the member `error`. */
  refusedRefresh: 'oauth' | 'message' | 'invalid_client'
  accessTokenSeconds: number
  /** The header `Cairn-Capabilities` of each answer; none when empty. It announces what the server may not do. */
  capabilities: string
  cors: {
    /** The origin that may call. */
    origin: string
    exposesHeaders: boolean
    /** Without CORS headers on errors, a browser shows an error as no answer. */
    onErrors: boolean
    /** Request headers that are allowed; those of the specification by default. */
    allowedHeaders: string
  }
}

export const PLAIN: PlainOptions = {
  ids: 'integers',
  clientIds: 'ignored',
  idsInText: 'taken',
  pageSize: 15,
  perPage: 'ignored',
  pagination: 'length-aware',
  withoutMeta: false,
  lists: 'list',
  oddities: {},
  writes: 'record',
  put: 'merges',
  deletions: 'made',
  contactIds: 'stored',
  contacts: 'none',
  children: 'kept',
  unknownFields: {},
  text: 'unchanged',
  unknownRoutes: 404,
  ifMatch: 'ignored',
  refusedRefresh: 'oauth',
  accessTokenSeconds: 900,
  capabilities: '',
  cors: {
    origin: '*',
    exposesHeaders: false,
    onErrors: true,
    allowedHeaders: 'Authorization, Content-Type, Accept, X-organisation',
  },
}

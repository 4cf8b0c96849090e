// One row per noun of an organisation. It has no schemas and imports nothing, so that the first
// screen may load it; schemas are in resource-schemas.ts, rules of one call in its endpoint row.

export type CallKind = 'list' | 'get' | 'create' | 'update' | 'append' | 'delete'

interface Resource {
  /** What one is called in messages. */
  label: string
  /** The field that names a record, where records have a name. */
  title?: string
  /** Fields that hold the id of another record, and the resource of that record. */
  parents?: Readonly<Record<string, string>>
  /** The column of the user who created it, where that is recorded. */
  author?: string
  /** The column of the member who is responsible, where one can be. */
  owner?: string
  /** The organisation's owner takes over what a leaving member owns; else it has no owner then. */
  ownerRequired?: true
  /** Records that are read in parts: those of one record of `of`, whose id they hold in `by`. */
  partition?: { by: string; of: string }
  /** An update may change the status only along `transitionsFrom`. */
  statusTransitions?: true
  /**
   * For resources whose creates, edits and appends may wait in the outbox: begins the names of the
   * lanes in which they are sent. Stored: never changes.
   */
  lane?: string
  /** The calls of the endpoint table that read and write it; each row names this resource in turn. */
  calls: Partial<Record<CallKind, string>>
}

export const resources = {
  success_plans: {
    label: 'plan',
    title: 'title',
    parents: { account_id: 'accounts', template_id: 'templates' },
    author: 'created_by',
    owner: 'owner_id',
    ownerRequired: true,
    statusTransitions: true,
    lane: 'success-plan',
    calls: {
      list: 'listSuccessPlans',
      get: 'getSuccessPlan',
      create: 'createSuccessPlan',
      update: 'updateSuccessPlan',
      delete: 'deleteSuccessPlan',
    },
  },
  success_plan_updates: {
    label: 'update',
    parents: { success_plan_id: 'success_plans' },
    author: 'user_id',
    partition: { by: 'success_plan_id', of: 'success_plans' },
    lane: 'success-plan',
    calls: { list: 'listPlanUpdates', append: 'postPlanUpdate' },
  },
  accounts: {
    label: 'account',
    title: 'name',
    author: 'created_by',
    owner: 'owner_id',
    lane: 'account',
    calls: {
      list: 'listAccounts',
      get: 'getAccount',
      create: 'createAccount',
      update: 'updateAccount',
      delete: 'deleteAccount',
    },
  },
  initiatives: {
    label: 'initiative',
    title: 'title',
    parents: { success_plan_id: 'success_plans', account_id: 'accounts' },
    author: 'created_by',
    owner: 'owner_id',
    statusTransitions: true,
    lane: 'initiative',
    calls: {
      list: 'listInitiatives',
      get: 'getInitiative',
      create: 'createInitiative',
      update: 'updateInitiative',
      delete: 'deleteInitiative',
    },
  },
  actions: {
    label: 'action',
    title: 'title',
    parents: {
      initiative_id: 'initiatives',
      success_plan_id: 'success_plans',
      account_id: 'accounts',
    },
    author: 'created_by',
    owner: 'assignee_id',
    lane: 'action',
    calls: {
      list: 'listActions',
      create: 'createAction',
      update: 'updateAction',
      delete: 'deleteAction',
    },
  },
  templates: {
    label: 'template',
    title: 'title',
    author: 'created_by',
    calls: {
      list: 'listTemplates',
      get: 'getTemplate',
      create: 'createTemplate',
      update: 'updateTemplate',
      delete: 'deleteTemplate',
    },
  },
  organisation_users: {
    label: 'member',
    title: 'name',
    calls: {
      list: 'listOrganisationUsers',
      update: 'updateOrganisationUser',
      delete: 'deleteOrganisationUser',
    },
  },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources

/** The call of that kind; never where the resource has none. */
export type CallOf<R extends ResourceName, K extends CallKind> =
  (typeof resources)[R]['calls'] extends Record<K, infer N extends string> ? N : never

/** Resources with calls of that kind. */
export type ResourceWith<K extends CallKind> = {
  [R in ResourceName]: [CallOf<R, K>] extends [never] ? never : R
}[ResourceName]

/** Resources that are created and edited through the outbox. */
export type QueuedResource = {
  [R in ResourceName]: (typeof resources)[R] extends { lane: string } ? R : never
}[ResourceName] &
  ResourceWith<'create'>

/** Resources whose records have an author. */
export type AuthoredResource = {
  [R in ResourceName]: (typeof resources)[R] extends { author: string } ? R : never
}[ResourceName]

/** Resources that records of others name by an id. */
export type ParentResource = {
  [R in ResourceName]: (typeof resources)[R] extends { parents: infer P } ? P[keyof P] : never
}[ResourceName]

/** The kinds of calls that a resource has. */
export type KindOf<R extends ResourceName> = keyof (typeof resources)[R]['calls']

/** In the order in which `changes` lists them. */
export const resourceNames = Object.keys(resources) as ResourceName[]

/** What one is called, with its article. */
export const withArticle = (label: string) => `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`

/** The row as its widest type, for code that treats all resources alike. */
export const resourceOf = (name: ResourceName): Resource => resources[name]

const calls = new Map(
  resourceNames.flatMap((resource) =>
    Object.entries(resources[resource].calls).map(
      ([kind, name]): [string, { resource: ResourceName; kind: CallKind }] => [
        name,
        { resource, kind: kind as CallKind },
      ],
    ),
  ),
)

/**
 * What a call reads or writes, and how, by its name; undefined for calls of no resource and for
 * names of another build, which a stored operation may carry.
 */
export const callInfo = (call: string) => calls.get(call)

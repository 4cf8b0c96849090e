// One row per noun of an organisation. It has no schemas and imports nothing, so that the first
// screen may load it; schemas are in resource-schemas.ts, rules of one call in its endpoint row.

export type CallKind = 'list' | 'get' | 'create' | 'update' | 'append' | 'delete'

interface Resource {
  /** What one is called in messages, alone and with its article. */
  label: { one: string; a: string }
  /** The field that names a record; null where records have no name. */
  title: string | null
  /** Fields that hold the id of another record, and the resource of that record. */
  parents: Readonly<Record<string, string>>
  /** The column of the user who created it; null where that is not recorded. */
  author: string | null
  /** The column of the member who is responsible; null where nobody is. */
  owner: string | null
  /** Whether the organisation's owner takes over what a leaving member owns; else it has no owner. */
  ownerRequired: boolean
  /** Records that are read in parts: those of one record of `of`, whose id they hold in `by`. */
  partition: { by: string; of: string } | null
  /** Whether an update may change the status only along `transitionsFrom`. */
  statusTransitions: boolean
  /** Whether creates, edits and appends may wait in the outbox, or need the server at once. */
  offline: 'queue' | 'online'
  /** Begins the names of the lanes in which its operations are sent. Stored: never changes. */
  lane: string
  /** The calls of the endpoint table that read and write it; each row names this resource in turn. */
  calls: Partial<Record<CallKind, string>>
}

export const resources = {
  success_plans: {
    label: { one: 'plan', a: 'a plan' },
    title: 'title',
    parents: { account_id: 'accounts', template_id: 'templates' },
    author: 'created_by',
    owner: 'owner_id',
    ownerRequired: true,
    partition: null,
    statusTransitions: true,
    offline: 'queue',
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
    label: { one: 'update', a: 'an update' },
    title: null,
    parents: { success_plan_id: 'success_plans' },
    author: 'user_id',
    owner: null,
    ownerRequired: false,
    partition: { by: 'success_plan_id', of: 'success_plans' },
    statusTransitions: false,
    offline: 'queue',
    lane: 'success-plan',
    calls: { list: 'listPlanUpdates', append: 'postPlanUpdate' },
  },
  accounts: {
    label: { one: 'account', a: 'an account' },
    title: 'name',
    parents: {},
    author: 'created_by',
    owner: 'owner_id',
    ownerRequired: false,
    partition: null,
    statusTransitions: false,
    offline: 'queue',
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
    label: { one: 'initiative', a: 'an initiative' },
    title: 'title',
    parents: { success_plan_id: 'success_plans', account_id: 'accounts' },
    author: 'created_by',
    owner: 'owner_id',
    ownerRequired: false,
    partition: null,
    statusTransitions: true,
    offline: 'queue',
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
    label: { one: 'action', a: 'an action' },
    title: 'title',
    parents: {
      success_plan_id: 'success_plans',
      initiative_id: 'initiatives',
      account_id: 'accounts',
    },
    author: 'created_by',
    owner: 'assignee_id',
    ownerRequired: false,
    partition: null,
    statusTransitions: false,
    offline: 'queue',
    lane: 'action',
    calls: {
      list: 'listActions',
      create: 'createAction',
      update: 'updateAction',
      delete: 'deleteAction',
    },
  },
  templates: {
    label: { one: 'template', a: 'a template' },
    title: 'title',
    parents: {},
    author: 'created_by',
    owner: null,
    ownerRequired: false,
    partition: null,
    statusTransitions: false,
    offline: 'online',
    lane: 'template',
    calls: {
      list: 'listTemplates',
      get: 'getTemplate',
      create: 'createTemplate',
      update: 'updateTemplate',
      delete: 'deleteTemplate',
    },
  },
  organisation_users: {
    label: { one: 'member', a: 'a member' },
    title: 'name',
    parents: {},
    author: null,
    owner: null,
    ownerRequired: false,
    partition: null,
    statusTransitions: false,
    offline: 'online',
    lane: 'member',
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
  [R in ResourceName]: (typeof resources)[R]['offline'] extends 'queue' ? R : never
}[ResourceName] &
  ResourceWith<'create'>

/** The kinds of calls that a resource has. */
export type KindOf<R extends ResourceName> = keyof (typeof resources)[R]['calls']

/** In the order in which `changes` lists them. */
export const resourceNames = Object.keys(resources) as ResourceName[]

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

// The resources of an organisation. Imports nothing, because the first screen loads it. Schemas are
// in resource-schemas.ts; rules of a single call are in its endpoint row.

export type CallKind = 'list' | 'get' | 'create' | 'update' | 'append' | 'delete'

interface Resource {
  /** Singular name in messages. */
  label: string
  /** The field that holds a record's name. */
  title?: string
  /** The resource that each foreign-key field refers to. */
  parents?: Readonly<Record<string, string>>
  /** The column with the id of the user who created the record. */
  author?: string
  /** The column with the id of the responsible member. */
  owner?: string
  /** When its owner leaves, the organisation's owner takes over. Otherwise the owner becomes null. */
  ownerRequired?: true
  /** Records are read per record of resource `of`, whose id is in field `by`. */
  partition?: { by: string; of: string }
  /** The status may only change as `transitionsFrom` allows. */
  statusTransitions?: true
  /**
   * Prefix of the outbox lane names, for resources whose creates and edits are queued; deletions of others use the
   * resource's name. Stored on devices: never change it.
   */
  lane?: string
  /** The path of the screen that edits a record, with its `{id}`; see operation-link.ts for others. */
  screen?: string
  /** The endpoints of the resource. Each endpoint row names the resource in turn. */
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
    screen: '/success-plans/{id}?edit',
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
    screen: '/success-plans/{id}',
    calls: { list: 'listPlanUpdates', append: 'postPlanUpdate' },
  },
  accounts: {
    label: 'account',
    title: 'name',
    author: 'created_by',
    owner: 'owner_id',
    lane: 'account',
    screen: '/accounts/{id}?edit',
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
  former_members: {
    label: 'former member',
    title: 'name',
    calls: { list: 'listFormerMembers' },
  },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources

/** The name of that kind of call; never if the resource has none. */
export type CallOf<R extends ResourceName, K extends CallKind> =
  (typeof resources)[R]['calls'] extends Record<K, infer N extends string> ? N : never

/** Resources that have that kind of call. */
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

/** Resources that other records refer to by id. */
export type ParentResource = {
  [R in ResourceName]: (typeof resources)[R] extends { parents: infer P } ? P[keyof P] : never
}[ResourceName]

/** The kinds of calls of a resource. */
export type KindOf<R extends ResourceName> = keyof (typeof resources)[R]['calls']

/** In the order of the lists in the `changes` response. */
export const resourceNames = Object.keys(resources) as ResourceName[]

/** The label with its indefinite article: `an account`. */
export const withArticle = (label: string) => `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`

/** The row, widened to `Resource` for code that handles all resources alike. */
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
 * The resource and kind of a call by its name. Undefined for calls without a resource, and for
 * unknown names: a stored operation may come from another build.
 */
export const callInfo = (call: string) => calls.get(call)

// Which faults a seed injects in front of a plain server, and how often.
import type { WeightedEvent } from '../faults.ts'
import type { PlainDevice } from './plain-device.ts'
import type { PlainUsers } from './plain-users.ts'

/** What the server announces. It has no `batch`, `changes` and `events`: their calls are announced and not there. */
const CAPABILITIES = [
  '',
  'keys',
  'ids',
  'ids, keys',
  'partial',
  'changes',
  'keys, partial',
  'versions',
  'effects',
  'versions, effects',
  'keys, versions',
  'versions, events',
  'ids, keys, partial, versions, effects',
  'ids, keys, partial, versions, effects, batch, changes, events',
]

/** Chooses the faults of this seed, and lists its events. */
export function plainEvents(device: PlainDevice, users: PlainUsers): WeightedEvent[] {
  const { world, network, store, models } = device
  const { rng, stories } = world
  device.hasForms = stories.withProbability(0.4)
  const hasDeletions = stories.withProbability(0.25)
  // Others edit what this user edits offline, and the server begins and ends to count versions.
  const edited = stories.withProbability(0.3) ? 5 : 0
  device.crashesLeft = stories.withProbability(device.hasForms ? 0.6 : 0.1)
    ? 1 + stories.integerBelow(3)
    : 0
  const sometimes = (share: number): number =>
    rng.withProbability(0.4) ? share * rng.fraction() : 0
  network.faults = {
    lostRequest: sometimes(0.4),
    lostAnswer: sometimes(0.5),
    duplicate: sometimes(0.2),
    late: rng.fraction(),
    slow: sometimes(0.2),
    serverError: sometimes(0.4),
    rateLimited: sometimes(0.3),
    captivePortal: sometimes(0.3),
    running: 0,
    refused: 0,
    unauthenticated: sometimes(0.2),
  }
  // A deletion whose answer is lost is repeated.
  if (hasDeletions) network.faults.lostAnswer = Math.max(network.faults.lostAnswer, 0.3)
  network.admitsOffline = rng.withProbability(0.5)
  store.faults.aborts = sometimes(0.05)
  const anyContext = () =>
    device.contexts.length > 0 ? rng.pick(device.contexts) : device.open('tab')
  const later = (longest: number, undo: () => void) =>
    world.schedule(1_000 + rng.fraction() * longest, undo)
  const [model, other] = models
  if (!model) return []
  const { api } = model
  return [
    [14, () => users.work()],
    [sometimes(2), () => users.decide()],
    [sometimes(1), () => users.discard()],
    [sometimes(4) + (hasDeletions ? 4 : 0), () => users.delete()],
    [2, () => users.reopen()],
    [sometimes(2), () => users.signOutOrIn()],
    [sometimes(2), () => users.switch()],
    [sometimes(3), () => device.kill(anyContext())],
    [sometimes(1), () => device.killBrowser()],
    [
      sometimes(4),
      () => {
        const context = anyContext()
        if (context.state !== 'live') return
        device.freeze(context)
        const longest = rng.withProbability(0.2) ? 1_800_000 : 150_000
        later(longest, () => device.thaw(context))
      },
    ],
    [
      sometimes(3) + edited,
      () => {
        network.up = false
        later(60_000, () => {
          network.up = true
          for (const context of device.contexts) if (context.state === 'live') context.wake()
        })
      },
    ],
    [
      sometimes(1),
      () => {
        const offset = Math.round((rng.fraction() - 0.5) * 36_000_000)
        // A device whose clock was set back cannot know how long ago it has sent something.
        if (model.keyLifetimeSeconds === Infinity) device.clockOffset += offset
      },
    ],
    [sometimes(1), () => network.restartServer(rng.fraction() * 20_000)],
    [sometimes(2), () => api.tokens.expireAll()],
    [
      sometimes(4) + edited,
      () => {
        const list = rng.pick(CAPABILITIES.filter((one) => model.canHave(one)))
        world.log(model.name, () => `has “${list}” now`)
        model.announce(list, world.now)
      },
    ],
    [
      sometimes(1),
      () => {
        const tab = device.tabs[0]
        void tab?.ports.store
          .transact(['session'], 'readwrite', async (tx) =>
            tx.deleteAll('session', ['capabilities']),
          )
          .catch(() => undefined)
        users.reopen()
      },
    ],
    [
      sometimes(4) + edited,
      () => {
        const table = rng.pick(['accounts', 'success-plans', 'initiatives', 'actions'] as const)
        const records = api.records.tables[table]
        if (records.length > 0) model.editAsAnother(table, rng.pick(records), world.now)
      },
    ],
    [
      sometimes(4),
      () => {
        const plan = rng.pick(api.records.tables['success-plans'])
        const plan_id = rng.withProbability(0.7) ? plan.id : undefined
        model.createElsewhere(String(plan.organisation_id), plan_id, rng.pick(model.users).id)
      },
    ],
    [
      sometimes(0.5),
      () => {
        const plans = api.records.tables['success-plans']
        if (plans.length > 3) model.deletePlan(rng.pick(plans).id)
      },
    ],
    [
      sometimes(1),
      () => {
        model.hideTitles(true)
        later(120_000, () => model.hideTitles(false))
      },
    ],
    [
      other ? sometimes(1) : 0,
      () => {
        if (!other) return
        // Another configuration: the app is opened again, in front of another server.
        device.killBrowser()
        device.model = device.model === model ? other : model
        const tab = device.open('tab')
        void users
          .signIn(tab, rng.pick(tab.model.users).id, rng.pick(tab.model.organisations))
          .catch(() => undefined)
      },
    ],
  ]
}

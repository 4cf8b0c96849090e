// @vitest-environment jsdom
// A tab never offers an update, or waits for ever for one that another tab has accepted.
import { beforeEach, expect, test, vi } from 'vitest'

class Worker extends EventTarget {
  state: ServiceWorkerState
  scriptURL = new URL('/sw.js', location.href).href
  received: unknown[] = []
  constructor(state: ServiceWorkerState) {
    super()
    this.state = state
  }
  postMessage = (message: unknown) => void this.received.push(message)
}

/** A registration, and what browsers do with it. */
class Registration extends EventTarget {
  installing: Worker | null = null
  waiting: Worker | null = null
  active: Worker | null = null
  update = async () => undefined

  find(): Worker {
    const worker = new Worker('installing')
    this.installing = worker
    this.dispatchEvent(new Event('updatefound'))
    return worker
  }
  fail(worker: Worker) {
    this.installing = null
    move(worker, 'redundant')
  }
  installed(worker: Worker) {
    this.installing = null
    this.waiting = worker
    move(worker, 'installed')
  }
  activate(worker: Worker) {
    this.waiting = null
    this.active = worker
    move(worker, 'activating')
    container.controller = worker
    container.dispatchEvent(new Event('controllerchange'))
    move(worker, 'activated')
  }
}
const move = (worker: Worker, state: ServiceWorkerState) => {
  worker.state = state
  worker.dispatchEvent(new Event('statechange'))
}

let container: EventTarget & { controller: Worker | null }
let registration: Registration
let reload: ReturnType<typeof vi.fn>

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  registration = new Registration()
  container = Object.assign(new EventTarget(), {
    controller: null,
    register: async () => registration,
    getRegistration: async () => (registration.active ? registration : undefined),
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true })
  reload = vi.fn()
  vi.stubGlobal('location', { href: location.href, reload })
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** A page that begins now, with a worker in control or without one. */
async function open(controlled: boolean) {
  registration.active = new Worker('activated')
  if (controlled) container.controller = registration.active
  return await openFirst()
}

async function openFirst() {
  const { registerWorker } = await import('../../../src/app/boot/register-worker.ts')
  const { nextBuild, useNewVersion } = await import('../../../src/app/boot/next-build.ts')
  const { renderHook } = await import('@testing-library/react')
  await registerWorker()
  await vi.advanceTimersByTimeAsync(1_000)
  return {
    state: () => nextBuild.get(),
    accept: () => renderHook(useNewVersion).result.current.accept(),
  }
}
/** Installs a build; it waits for longer than Workbox looks. */
async function install() {
  const worker = registration.find()
  registration.installed(worker)
  await vi.advanceTimersByTimeAsync(1_000)
  return worker
}

test('the first worker of a page is no update', async () => {
  const page = await openFirst()
  const worker = registration.find()
  registration.installed(worker)
  registration.activate(worker)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(page.state()).toBe('none')
  await install()
  expect(page.state()).toBe('ready')
})

test.for([true, false])(
  'an update that another tab accepts is offered, and loads at once (controlled: %s)',
  async (controlled) => {
    const page = await open(controlled)
    const worker = await install()
    expect(page.state()).toBe('ready')
    registration.activate(worker)
    expect(reload).not.toHaveBeenCalled()
    page.accept()
    expect(reload).toHaveBeenCalledOnce()
  },
)

test('an accepted update loads when it is in control', async () => {
  const page = await open(true)
  const worker = await install()
  page.accept()
  expect(worker.received).toEqual([{ type: 'SKIP_WAITING' }])
  expect(reload).not.toHaveBeenCalled()
  registration.activate(worker)
  expect(reload).toHaveBeenCalledOnce()
})

test('an update that became active without taking control of this tab loads when it is accepted', async () => {
  const page = await open(false)
  const worker = await install()
  registration.waiting = null
  registration.active = worker
  page.accept()
  expect(reload).toHaveBeenCalledOnce()
})

test('after a failed installation in a long-open tab the next build is offered', async () => {
  const page = await open(true)
  await vi.advanceTimersByTimeAsync(30 * 60_000)
  registration.fail(registration.find())
  expect(page.state()).toBe('none')
  await install()
  expect(page.state()).toBe('ready')
})

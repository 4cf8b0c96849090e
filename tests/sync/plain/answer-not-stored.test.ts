// The server has accepted a create, and storage fails as its answer is stored: the answer was lost, a colleague deleted
// the record before it was looked for, and the create was sent again.
import { expect, test, vi } from 'vitest'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

/** A device whose storage takes nothing from the answer to a create on, until `repair`; the record is deleted. */
async function failingWhenAnswered(writes: 'record' | 'message') {
  const stage = new PlainFixture({ writes })
  const tab = await stage.readTab()
  const transact = stage.store.transact.bind(stage.store)
  let isFailing = false
  const failing = vi.fn()
  const broken = vi
    .spyOn(stage.store, 'transact')
    .mockImplementation(async (stores, mode, work) => {
      if (!isFailing || mode === 'readonly') return await transact(stores, mode, work)
      failing()
      throw new Error('The disk is busy.')
    })
  const isCreate = ({ method, url }: { method: string; url: string }) =>
    method === 'POST' && url.endsWith('/accounts')
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (!isCreate(request)) return answer
    isFailing = true
    const { tables } = stage.plain.records
    tables.accounts = tables.accounts.filter(({ name }) => name !== 'Flood Co')
    return answer
  }
  return {
    stage,
    tab,
    failing,
    repair: () => broken.mockRestore(),
    creates: () => stage.requests.filter(isCreate),
  }
}

test('an answer that could not be stored is stored later, and the create is not sent again', async () => {
  const { stage, tab, failing, repair, creates } = await failingWhenAnswered('record')
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co' },
  })
  await waitFor(() => {
    tab.wake()
    // It is tried again while storage fails.
    expect(failing.mock.calls.length).toBeGreaterThan(2)
  })
  repair()
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
})

test('what the server has accepted without its record is not sent again either', async () => {
  const { stage, tab, failing, repair, creates } = await failingWhenAnswered('message')
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co' },
  })
  await waitFor(() => expect(failing).toHaveBeenCalled())
  repair()
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
  // Its author is asked, since the record is not found.
  expect((await tab.outbox.all()).map(({ last_error }) => last_error?.code)).toEqual(['not_found'])
})

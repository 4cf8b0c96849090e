// @vitest-environment jsdom
// The browser blocks cookies and site data for the app's address.
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { sessionMessages } from '../../../src/features/session/messages.ts'

const blocked = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}
const TOKENS = { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer' }
const CONFIG = { clientId: 'cairn', clientSecret: '', redirects: [] }
const ANSWERS: Record<string, object> = {
  '/config.json': CONFIG,
  '/oauth/token': TOKENS,
  '/api/v1/userinfo': { data: { id: 'ann', name: 'Ann', email: 'ann@north.test' } },
}

beforeAll(() => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(globalThis, name, { get: blocked, configurable: true })
  // As in Chromium; jsdom has neither.
  Object.defineProperty(navigator, 'locks', { value: { request: async () => blocked() } })
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.stubGlobal('fetch', async (asked: string | Request) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : asked, location.href)
    const answer = ANSWERS[pathname]
    return answer ? Response.json(answer) : new Response(null, { status: 404 })
  })
  runInThisContext(readFileSync('src/app/boot/boot-script.js', 'utf8'))
})

test('the app starts signed out, and the sign-in says that site data is blocked', async () => {
  const { createSync } = await import('../../../src/sync/client.ts')
  const { product } = await import('../../../src/app/boot/product.ts')
  const { startEngine } = await import('../../../src/sync/browser/start-engine.ts')
  const { screenCache } = await import('../../../src/sync/react/apply-changes.ts')
  const { restoreBootCache } = await import('../../../src/sync/react/boot-cache.ts')
  const { mayReload } = await import('../../../src/app/shell/reload.ts')
  const { Component } = await import('../../../src/features/session/sign-in-screen.tsx')
  const client = createSync(async (page) => startEngine(page, product, screenCache))
  restoreBootCache()
  expect(client.mayForgetUser).toBe(false)
  await client.restoreSession()
  expect(client.session.current()).toBe(null)
  await client.start()

  render(
    <MemoryRouter initialEntries={['/auth']}>
      <Component />
    </MemoryRouter>,
  )
  await userEvent.type(screen.getByLabelText(sessionMessages.email), 'ann@north.test')
  await userEvent.type(screen.getByLabelText(sessionMessages.password), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: sessionMessages.submit }))
  expect(await screen.findByText(sessionMessages.blocked)).toBeDefined()
  expect(mayReload(true)).toBe(false)
})

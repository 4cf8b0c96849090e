import { describe, expect, it } from 'vitest'
import { guard } from '../../src/app/guards.ts'
import { returnPath } from '../../src/features/session/return-path.ts'

const at = (path: string) => new URL(path, 'https://cairn.example')
const STRANGER = { signed_in: false, has_organisation: false }
const NOWHERE = { signed_in: true, has_organisation: false }
const MEMBER = { signed_in: true, has_organisation: true }

describe('the guards', () => {
  it('stranger-sees-a-screen', () => {
    expect(guard(at('/success-plans/7?tab=2'), STRANGER)).toBe(
      '/auth?redirect=%2Fsuccess-plans%2F7%3Ftab%3D2',
    )
    expect(guard(at('/organisations'), STRANGER)).toBe('/auth?redirect=%2Forganisations')
    expect(guard(at('/'), STRANGER)).toBe('/auth')
  })

  it('stranger-cannot-sign-in', () => {
    for (const path of ['/auth', '/auth/registration', '/onboarding'])
      expect(guard(at(path), STRANGER)).toBeUndefined()
  })

  it('query-opens-the-door', () => {
    expect(guard(at('/accounts?from=auth'), STRANGER)).toBe(
      '/auth?redirect=%2Faccounts%3Ffrom%3Dauth',
    )
  })

  it('signed-in-without-organisation-sees-a-screen', () => {
    expect(guard(at('/accounts'), NOWHERE)).toBe('/organisations?redirect=%2Faccounts')
  })

  it('signed-in-without-organisation-cannot-choose-one', () => {
    for (const path of ['/organisations', '/auth', '/onboarding'])
      expect(guard(at(path), NOWHERE)).toBeUndefined()
  })

  it('member-is-sent-away', () => {
    for (const path of ['/', '/success-plans', '/accounts/1', '/nowhere'])
      expect(guard(at(path), MEMBER)).toBeUndefined()
  })
})

describe('the way back', () => {
  it('place-is-forgotten', () => {
    expect(returnPath('/accounts/1?tab=2#notes')).toBe('/accounts/1?tab=2#notes')
  })

  it('redirect-leads-to-another-site', () => {
    for (const asked of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '\\/evil.example',
      'javascript:alert(1)',
      ' /success-plans',
      '',
      null,
    ])
      expect(returnPath(asked)).toBe('/success-plans')
  })

  it('sign-in-leads-back-to-sign-in', () => {
    expect(returnPath('/auth?redirect=%2Fauth')).toBe('/success-plans')
  })
})

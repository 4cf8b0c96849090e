import { useState } from 'react'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { config } from '../boot/runtime-config.ts'
import { analyticsProjectOf } from './analytics.ts'
import { chooseConsent, useConsent } from './consent.ts'
import { telemetryMessages as messages } from './messages.ts'

/** Whether analytics is configured in this environment. */
export const useHasAnalytics = (): boolean =>
  useState(() => analyticsProjectOf(config()) !== undefined)[0]

/** Where the user changes the consent to analytics. */
export function PrivacySetting() {
  return (
    <div className="-my-3 *:border-0">
      <SwitchField
        label={messages.count}
        hint={messages.countHint}
        checked={useConsent() === 'yes'}
        onChange={(wanted) => chooseConsent(wanted ? 'yes' : 'no')}
      />
    </div>
  )
}

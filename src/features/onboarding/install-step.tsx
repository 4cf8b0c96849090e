import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { install, useInstallState } from '../../ui/platform/install.ts'
import { useWhenShown } from '../../ui/platform/use-when-shown.ts'
import { InstallSteps } from '../installing/install-steps.tsx'
import { OrganisationReady } from './in-organisation.tsx'
import type { StepProps } from './onboarding-screen.tsx'
import { onboardingMessages } from './messages.ts'

const messages = onboardingMessages.install

/** Installs the app on this device. */
export function InstallStep({ onDone }: StepProps) {
  const installing = useInstallState()
  const whenShown = useWhenShown()
  if (installing === 'installed')
    return <OrganisationReady onContinue={onDone}>{messages.installed}</OrganisationReady>
  if (installing === 'offered')
    return (
      <Button
        variant="primary"
        onClick={() => void install().then((wanted) => wanted && whenShown(onDone))}
      >
        <Download aria-hidden />
        {messages.ask}
      </Button>
    )
  return (
    <>
      <div className="mb-6">
        <InstallSteps browser={installing} />
      </div>
      <Button onClick={onDone}>{messages.alreadyInstalled}</Button>
    </>
  )
}

import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { install, useInstalling } from '../../ui/install.ts'
import { InstallSteps } from '../installing/install-steps.tsx'
import { There } from './in-organisation.tsx'
import type { StepProps } from './onboarding-screen.tsx'
import { onboardingWords } from './words.ts'

const words = onboardingWords.install

export function InstallStep({ onDone }: StepProps) {
  const installing = useInstalling()
  if (installing === 'installed') return <There onGoOn={onDone}>{words.installed}</There>
  if (installing === 'offered')
    return (
      <Button variant="primary" onClick={() => void install().then((wanted) => wanted && onDone())}>
        <Download aria-hidden />
        {words.ask}
      </Button>
    )
  return (
    <>
      <div className="mb-6">
        <InstallSteps way={installing} />
      </div>
      <Button onClick={onDone}>{words.have}</Button>
    </>
  )
}

/** The `type` of every failure that an activity throws on purpose; workflows match on it (conventions E4, E5). */
export const failureTypes = {
  deliveryNotFound: 'DeliveryNotFound',
  candidateNotFound: 'CandidateNotFound',
  containerNotFound: 'ContainerNotFound',
  containerNotReady: 'ContainerNotReady',
  containerEnded: 'ContainerEnded',
  rotationNotFound: 'RotationNotFound',
  destinationNotFound: 'DestinationNotFound',
  testEventNotFound: 'TestEventNotFound',
  replayNotFound: 'ReplayNotFound',
  invitationNotFound: 'InvitationNotFound',
  registrationNotFound: 'RegistrationNotFound',
  workerStopping: 'WorkerStopping',
  mailNotConfigured: 'MailNotConfigured',
  mailNotSent: 'MailNotSent',
} as const;

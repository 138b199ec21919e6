/** The `type` of every failure that activities throw on purpose. Workflows match on it and rethrow others. */
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

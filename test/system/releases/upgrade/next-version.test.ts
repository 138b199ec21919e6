import test from 'ava';
import { upgrade } from './upgrades.ts';

test(upgrade, 'next version');

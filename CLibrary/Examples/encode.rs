//! Encodes raw 16-bit samples in native byte order to ADTS:
//!
//!     encode 44100 2 128000 song.raw song.aac
//!
//! rustc encode.rs -l linnet
//!
//! The declarations are written by hand; bindgen can generate them from linnet.h.

use std::ffi::{c_char, c_int, c_void, CStr};

const ADTS: u32 = 1;

/// linnet_encoder_settings
#[repr(C)]
#[derive(Default)]
struct Settings {
    size: u32,
    sample_rate: u32,
    channels: u32,
    profile: u32,
    rate_control: u32,
    bit_rate: u32,
    quality: u32,
    peak_bit_rate: u32,
    effort: u32,
    bandwidth: u32,
    signaling: u32,
    silences_invalid: u32,
    low_delay: u32,
    frame_length: u32,
    no_noise_substitution: u32,
    dab_bit_rate: u32,
    dab_pad: u32,
    low_delay_sbr: u32,
}

/// linnet_unit
#[repr(C)]
struct Unit {
    bytes: *const u8,
    size: usize,
    time: i64,
    duration: u32,
    sample_rate: u32,
    blocks: u32,
}

extern "C" {
    fn linnet_error_text(error: c_int) -> *const c_char;
    fn linnet_encoder_settings_init_sized(settings: *mut Settings, size: u32, rate: u32, channels: u32) -> c_int;
    fn linnet_encoder_create(settings: *const Settings, encoder: *mut *mut c_void) -> c_int;
    fn linnet_encoder_destroy(encoder: *mut c_void);
    fn linnet_encoder_configuration(encoder: *mut c_void, bytes: *mut *const u8, size: *mut usize) -> c_int;
    fn linnet_encoder_write_int16(encoder: *mut c_void, samples: *const i16, frames: usize, taken: *mut usize) -> c_int;
    fn linnet_encoder_finish(encoder: *mut c_void) -> c_int;
    fn linnet_encoder_next(encoder: *mut c_void, unit: *mut Unit) -> c_int;
    fn linnet_writer_create(format: u32, bytes: *const u8, size: usize, delay: u32, writer: *mut *mut c_void) -> c_int;
    fn linnet_writer_append(writer: *mut c_void, unit: *const Unit) -> c_int;
    fn linnet_writer_bytes(writer: *mut c_void, bytes: *mut *const u8, size: *mut usize) -> c_int;
    fn linnet_writer_destroy(writer: *mut c_void);
}

/// Converts a code to a result with the library's description.
fn check(code: c_int) -> Result<(), String> {
    if code == 0 {
        return Ok(());
    }
    // The library's texts are constants.
    Err(unsafe { CStr::from_ptr(linnet_error_text(code)) }.to_string_lossy().into_owned())
}

/// An encoder that writes ADTS.
struct Encoder {
    encoder: *mut c_void,
    writer: *mut c_void,
    channels: usize,
}

impl Encoder {
    fn new(rate: u32, channels: u32, bit_rate: u32) -> Result<Self, String> {
        let mut result = Encoder { encoder: std::ptr::null_mut(), writer: std::ptr::null_mut(), channels: channels as usize };
        let mut settings = Settings::default();
        let (mut bytes, mut size) = (std::ptr::null(), 0);
        unsafe {
            check(linnet_encoder_settings_init_sized(&mut settings, std::mem::size_of::<Settings>() as u32, rate, channels))?;
            settings.bit_rate = bit_rate;
            check(linnet_encoder_create(&settings, &mut result.encoder))?;
            check(linnet_encoder_configuration(result.encoder, &mut bytes, &mut size))?;
            check(linnet_writer_create(ADTS, bytes, size, 0, &mut result.writer))?;
        }
        Ok(result)
    }

    fn encode(&mut self, mut samples: &[i16]) -> Result<(), String> {
        while samples.len() >= self.channels {
            let mut taken = 0;
            check(unsafe { linnet_encoder_write_int16(self.encoder, samples.as_ptr(), samples.len() / self.channels, &mut taken) })?;
            samples = &samples[taken * self.channels..];
            self.drain()?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, String> {
        check(unsafe { linnet_encoder_finish(self.encoder) })?;
        self.drain()?;
        let (mut bytes, mut size) = (std::ptr::null(), 0);
        check(unsafe { linnet_writer_bytes(self.writer, &mut bytes, &mut size) })?;
        // Copied, because it is valid only until the next call.
        Ok(unsafe { std::slice::from_raw_parts(bytes, size) }.to_vec())
    }

    fn drain(&mut self) -> Result<(), String> {
        let mut unit = Unit { bytes: std::ptr::null(), size: 0, time: 0, duration: 0, sample_rate: 0, blocks: 0 };
        loop {
            check(unsafe { linnet_encoder_next(self.encoder, &mut unit) })?;
            if unit.size == 0 {
                return Ok(());
            }
            check(unsafe { linnet_writer_append(self.writer, &unit) })?;
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // Null is allowed.
        unsafe {
            linnet_writer_destroy(self.writer);
            linnet_encoder_destroy(self.encoder);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 6 {
        return Err("usage: encode RATE CHANNELS BIT-RATE INPUT OUTPUT".into());
    }
    let mut encoder = Encoder::new(arguments[1].parse()?, arguments[2].parse()?, arguments[3].parse()?)?;
    let bytes = std::fs::read(&arguments[4])?;
    let samples: Vec<i16> = bytes.chunks_exact(2).map(|pair| i16::from_ne_bytes([pair[0], pair[1]])).collect();
    encoder.encode(&samples)?;
    std::fs::write(&arguments[5], encoder.finish()?)?;
    Ok(())
}
